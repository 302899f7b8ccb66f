import { Client } from './client.ts';
import { Names } from './names.ts';
import { realTime, type Waiting } from './rate.ts';
import { Gate } from './safety/gate.ts';
import type { Policy } from './safety/policy.ts';
import { leaves } from './structure.ts';
import type { Target } from './target.ts';

/** Entries of a profile, at whatever depth, that hold keys, or name cards and people that the run did not make up. */
const secret = /(key|code|recipient|sourceId)$/i;

/** One way to the target for all that a command sends, so that one rate and one budget hold for all of it. */
export interface Session {
  readonly target: Target;
  readonly names: Names;
  readonly gate: Gate;
  readonly client: Client;
}

export function openSession(target: Target, time: Waiting = realTime, policy?: Policy): Session {
  const names = new Names();
  names.learn(target.key, '«key»');
  names.learnTarget(target.url);
  for (const { path, value } of leaves(target.profile))
    if (typeof value === 'string' && secret.test(path)) names.learn(value, `«${path.slice(1).replaceAll('/', '.')}»`);
  const gate = new Gate(policy);
  return { target, names, gate, client: new Client(target, names, time, gate) };
}
