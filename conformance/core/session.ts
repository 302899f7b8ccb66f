import { Client } from '../http/client.ts';
import { realTime, type Waiting } from '../http/rate.ts';
import { Redactor } from '../http/redactor.ts';
import { Gate } from '../safety/gate.ts';
import type { Policy } from '../safety/policy.ts';
import { secretsIn } from './profile-schema.ts';
import type { Target } from './target.ts';

/** The connection of a command to its target: one rate and one budget for all requests. */
export interface Session {
  readonly target: Target;
  readonly redactor: Redactor;
  readonly gate: Gate;
  readonly client: Client;
}

export function openSession(target: Target, time: Waiting = realTime, policy?: Policy): Session {
  const redactor = new Redactor();
  redactor.learnTarget(target.url);
  for (const { name, value } of secretsIn(target.profile)) redactor.learn(value, `«${name}»`);
  // A key of the profile may be the run's own.
  redactor.learn(target.key, '«key»');
  const gate = new Gate(policy);
  return { target, redactor, gate, client: new Client(target, redactor, time, gate) };
}
