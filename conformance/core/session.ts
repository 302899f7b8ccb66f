import schema from '../generated/profile.schema.json' with { type: 'json' };
import { leaves } from '../http/json-search.ts';
import { realTime, type Waiting } from '../http/rate.ts';
import { Redactor } from '../http/redactor.ts';
import type { Profile, Target } from '../http/target.ts';
import { Client } from '../safety/client.ts';
import { Gate } from '../safety/gate.ts';
import type { Policy } from '../safety/policy.ts';

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
  // The run's key is learned last. If the profile contains the same key, reports still show «key».
  redactor.learn(target.key, '«key»');
  const gate = new Gate(policy);
  return { target, redactor, gate, client: new Client(target, redactor, time, gate) };
}

/** Returns the secrets of a profile. The name of a secret is its path, joined by dots. */
function secretsIn(profile: Profile): { name: string; value: string }[] {
  return leaves(profile).flatMap(({ path, value }) => {
    const steps = path.slice(1).split('/');
    if (typeof value !== 'string' || !isSecret(steps) || isPlainHeader(steps, value)) return [];
    return [{ name: steps.join('.'), value }];
  });
}

interface SchemaNode {
  /** True for a secret, such as a key or the code of a card that no run created. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** Reports whether the entry at the path, or an entry that contains it, is a secret. */
function isSecret(steps: readonly string[], node: SchemaNode | undefined = schema as SchemaNode): boolean {
  const [first, ...others] = steps;
  const inner = first === undefined ? undefined : node?.properties?.[first];
  return inner !== undefined && (inner.writeOnly === true || isSecret(others, inner));
}

/** Reports whether a header of the clock's request is not a secret: a short text or a media type. Such a text may appear anywhere by accident, so it must not be masked. */
const isPlainHeader = (steps: readonly string[], value: string): boolean =>
  steps.at(-2) === 'headers' && (value.length < 8 || /^(content-type|accept)$/i.test(steps.at(-1) ?? ''));
