import type { OperationId } from '../../openapi/generated/validators.js';
import type { Chance } from '../account/clock.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count, Fraction } from '../state/value-types.ts';

/** Which of the requests or deliveries that a rule is about it strikes: at most one is set; none means all. */
interface Selection {
  readonly first: Count | null;
  readonly nth: Count | null;
  /** From 0 to 1. */
  readonly probability: Fraction | null;
}

/**
 * `status` answers with a 4xx or 5xx, `rate-limit` with the service's own 429, `delay` answers late, `reset` breaks the connection instead of
 * answering, `truncate` ends in the middle of the answer.
 */
export interface RequestRule extends Selection {
  readonly on: 'request';
  readonly fault: 'status' | 'rate-limit' | 'delay' | 'reset' | 'truncate';
  /** Null for all. */
  readonly operation: OperationId | null;
  /** Before the decision, or after the change, so that only the answer is lost. */
  readonly when: 'before' | 'after';
  readonly status: number | null;
  readonly body: string | null;
  /** Real time before the answer, or the rest of it, is sent. */
  readonly milliseconds: Count;
}

/**
 * `duplicate` posts the same bytes twice, `delay` posts late, `re-serialized` posts the same JSON in other bytes, correctly signed.
 * `wrong-signature` and `unsigned` post a decoy first, which the receiver must reject, and then the delivery itself.
 */
export interface DeliveryRule extends Selection {
  readonly on: 'delivery';
  readonly fault: 'duplicate' | 'delay' | 're-serialized' | 'wrong-signature' | 'unsigned';
  /** Null for all. */
  readonly topic: Topic | null;
  readonly webhookId: string | null;
  /** Real time before the delivery is posted. */
  readonly milliseconds: Count;
}

export type FaultRule = RequestRule | DeliveryRule;

/** A receiver can reject these only if its webhook has a token. */
export function needsToken(fault: DeliveryRule['fault']): boolean {
  return fault === 'wrong-signature' || fault === 'unsigned';
}

type Optional<T> = { readonly [name in keyof T]?: T[name] | undefined };

/** A rule as a user writes it; what is left out has a default. `on` is needed for a `delay` of deliveries only. */
export type WantedFault = Pick<FaultRule, 'fault'> &
  Optional<Pick<FaultRule, 'on'> & Omit<RequestRule, 'on' | 'fault'> & Omit<DeliveryRule, 'on' | 'fault'>>;

const onRequests: readonly string[] = ['status', 'rate-limit', 'delay', 'reset', 'truncate'] satisfies RequestRule['fault'][];

function isOnDelivery({ fault, on }: WantedFault): boolean {
  return fault === 'delay' ? on === 'delivery' : !onRequests.includes(fault);
}

/** Returns why a rule contradicts itself, in one sentence; undefined if it does not. */
export function objectionTo(wanted: WantedFault): string | undefined {
  const { fault, on, when, status, body, operation, topic, webhookId, milliseconds, first, nth, probability } = wanted;
  if (fault === 'delay' && !milliseconds) return 'A delay needs milliseconds, from 1.';
  if ([first, nth, probability].filter(isGiven).length > 1) return 'Give at most one of first, nth and probability.';
  const isDelivery = isOnDelivery(wanted);
  const own = isDelivery ? 'delivery' : 'request';
  if (on !== undefined && on !== own) return `"${fault}" is a fault of each ${own}; leave "on" out.`;
  if (isDelivery) {
    if ([operation, when, status, body].some(isGiven)) return 'operation, when, status and body belong to faults of requests.';
    return fault !== 'delay' && milliseconds ? `milliseconds belong to "delay", not to "${fault}"; leave them out.` : undefined;
  }
  if (isGiven(topic ?? webhookId))
    return 'topic and webhookId belong to faults of deliveries; for a delay set "on" to "delivery".';
  if (fault === 'status' && isGiven(status) && !(status >= 400 && status <= 599))
    return `status must be from 400 to 599, got ${status}.`;
  if (fault !== 'status' && isGiven(status ?? body))
    return `status and body belong to the fault "status", not to "${fault}"; leave them out.`;
  if ((fault === 'delay' || fault === 'truncate') && when === 'before')
    return `A ${fault} changes the answer, so it strikes after the change; leave "when" out, or set it to "after".`;
  if (fault === 'rate-limit' && when === 'after')
    return 'The rate limit rejects a request before anything changes; leave "when" out, or set it to "before".';
  return undefined;
}

function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** The rule with its defaults; `wanted` has no objection. */
export function ruleFrom(wanted: WantedFault): FaultRule {
  const { fault, milliseconds = 0, first = null, nth = null, probability = null, topic = null, webhookId = null } = wanted;
  const common = { milliseconds, first, nth, probability };
  if (isOnDelivery(wanted)) return { on: 'delivery', fault: fault as DeliveryRule['fault'], topic, webhookId, ...common };
  const { operation = null, status = fault === 'status' ? 503 : null } = wanted;
  const { body = status === null ? null : `The service answers with ${status}.` } = wanted;
  const { when = fault === 'delay' || fault === 'truncate' ? 'after' : 'before' } = wanted;
  return { on: 'request', fault: fault as RequestRule['fault'], operation, when, status, body, ...common };
}

/** True if a rule strikes the `count`th request or delivery that it is about, from 1. */
export function selects({ first, nth, probability }: Selection, count: number, chance: Chance): boolean {
  if (first !== null) return count <= first;
  if (nth !== null) return count === nth;
  return probability === null || chance.below(0x1_0000) < probability * 0x1_0000;
}

/** For example "reset after the change, on the first 2 createGiftCard requests". */
export function describeFault(rule: FaultRule): string {
  const { fault, milliseconds } = rule;
  const what = fault === 'delay' ? `delay of ${milliseconds} ms` : fault;
  if (rule.on === 'delivery') return `${what}, on ${describeSelection(rule, rule.topic, ['delivery', 'deliveries'])}`;
  const status = fault === 'status' ? ` ${rule.status}` : '';
  const which = describeSelection(rule, rule.operation, ['request', 'requests']);
  return `${what}${status} ${rule.when} the change, on ${which}`;
}

/** For example "all requests", "the first giftcard/voided delivery" or "number 3 of all requests". */
function describeSelection({ first, nth, probability }: Selection, only: string | null, [one, more]: readonly [string, string]) {
  const prefix = only === null ? '' : `${only} `;
  if (first !== null) return first === 1 ? `the first ${prefix}${one}` : `the first ${first} ${prefix}${more}`;
  const all = `all ${prefix}${more}`;
  if (nth !== null) return `number ${nth} of ${all}`;
  return probability === null ? all : `a share of ${probability} of ${all}`;
}
