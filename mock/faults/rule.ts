import type { OperationId } from '../../openapi/generated/validators.js';
import type { Chance } from '../world.ts';

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
