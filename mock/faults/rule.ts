import type { OperationId } from '../../openapi/generated/validators.js';
import type { Chance } from '../account/clock.ts';

/**
 * What goes wrong: `status` is an answer of any 4xx or 5xx, `rate-limit` the service's own 429, `delay` a late answer, `reset` a connection that
 * breaks instead of an answer, `truncate` an answer that ends in the middle.
 */
type FaultKind = 'status' | 'rate-limit' | 'delay' | 'reset' | 'truncate';

/** Something that shall go wrong on some calls; of `first`, `nth` and `probability` there is one or none, and none means every call. */
export interface FaultRule {
  readonly fault: FaultKind;
  /** Null for all of them. */
  readonly operation: OperationId | null;
  /** Before anything is decided, or after the change was made, so that only the answer is lost. */
  readonly when: 'before' | 'after';
  /** Of a `status`, with its body as plain text. */
  readonly status: number | null;
  readonly body: string | null;
  /** Real milliseconds that pass before the answer, or what is left of it, leaves. */
  readonly milliseconds: number;
  readonly first: number | null;
  readonly nth: number | null;
  /** From 0 to 1. */
  readonly probability: number | null;
}

/** A rule of which some may be left out. */
type Wanted = Pick<FaultRule, 'fault'> & { readonly [K in keyof FaultRule]?: FaultRule[K] | undefined };

/** Why there is no such fault, in a sentence; undefined where there is. */
export function objectionTo({ fault, when, status, body, milliseconds, first, nth, probability }: Wanted): string | undefined {
  if (fault === 'status' && isSaid(status) && !(status >= 400 && status <= 599))
    return `status must be from 400 to 599, not ${status}.`;
  if (fault !== 'status' && isSaid(status ?? body))
    return `status and body belong to the fault "status", not to "${fault}"; leave them out.`;
  if (fault === 'delay' && !milliseconds) return 'A delay needs milliseconds, from 1.';
  if ((fault === 'delay' || fault === 'truncate') && when === 'before')
    return `A ${fault} is of an answer, so it strikes after the change; leave "when" out, or say "after".`;
  if (fault === 'rate-limit' && when === 'after')
    return 'Who is over the rate is refused before anything is changed; leave "when" out, or say "before".';
  if ([first, nth, probability].filter(isSaid).length > 1)
    return 'Say first, nth or probability, one of them; none of them means every call.';
  return undefined;
}

function isSaid<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** Whether the rule strikes the call that is its `calls`th, from 1. */
export function strikes({ first, nth, probability }: FaultRule, calls: number, chance: Chance): boolean {
  if (first !== null) return calls <= first;
  if (nth !== null) return calls === nth;
  if (probability !== null) return chance.below(0x1_0000) < probability * 0x1_0000;
  return true;
}

/** "reset after the change, on the first 2 calls of createGiftCard" */
export function inWords({ fault, operation, when, status, milliseconds, first, nth, probability }: FaultRule): string {
  const what = fault === 'status' ? `status ${status}` : fault === 'delay' ? `delay of ${milliseconds} ms` : fault;
  const which =
    first !== null
      ? `the first ${first === 1 ? 'call' : `${first} calls`}`
      : nth !== null
        ? `call ${nth}`
        : probability !== null
          ? `calls with a probability of ${probability}`
          : 'every call';
  return `${what} ${when} the change, on ${which} of ${operation ?? 'any operation'}`;
}
