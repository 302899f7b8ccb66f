import type { OperationId } from '../../openapi/generated/validators.js';
import type { Chance } from '../account/clock.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count, ErrorStatus, Fraction } from '../state/value-types.ts';

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
  readonly status: ErrorStatus | null;
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

const selection = ['first', 'nth', 'probability'];
const ofRequest = [...selection, 'operation', 'milliseconds'];
const ofDelivery = [...selection, 'topic', 'webhookId'];

/** The properties that a user can give each fault. */
const properties: Readonly<Record<FaultRule['on'], { readonly [fault in FaultRule['fault']]?: readonly string[] }>> = {
  request: {
    status: [...ofRequest, 'when', 'status', 'body'],
    'rate-limit': ofRequest,
    delay: ofRequest,
    reset: [...ofRequest, 'when'],
    truncate: ofRequest,
  },
  delivery: {
    duplicate: ofDelivery,
    delay: [...ofDelivery, 'milliseconds'],
    're-serialized': ofDelivery,
    'wrong-signature': ofDelivery,
    unsigned: ofDelivery,
  },
};

function targetOf({ fault, on }: WantedFault): FaultRule['on'] {
  return on ?? (properties.request[fault] ? 'request' : 'delivery');
}

/** Returns why a rule contradicts itself, in one sentence; undefined if it does not. */
export function objectionTo(wanted: WantedFault): string | undefined {
  const { fault, milliseconds } = wanted;
  const on = targetOf(wanted);
  const own = properties[on][fault];
  if (!own) return `"${fault}" is not a fault of a ${on}; leave "on" out.`;
  const given = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const foreign = given.find((name) => !['fault', 'on', ...own].includes(name));
  if (foreign) return `The fault "${fault}" of a ${on} has no ${foreign}; it has ${own.join(', ')}.`;
  if (fault === 'delay' && !milliseconds) return 'A delay needs milliseconds, from 1.';
  const limits = selection.filter((name) => given.includes(name));
  return limits.length > 1 ? 'Give at most one of first, nth and probability.' : undefined;
}

/** The rule with its defaults; `wanted` has no objection. */
export function ruleFrom(wanted: WantedFault): FaultRule {
  const { fault, milliseconds = 0, first = null, nth = null, probability = null } = wanted;
  const common = { milliseconds, first, nth, probability };
  if (targetOf(wanted) === 'delivery') {
    const { topic = null, webhookId = null } = wanted;
    return { on: 'delivery', fault: fault as DeliveryRule['fault'], topic, webhookId, ...common };
  }
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

/** For example "status 503 before the change (operation createGiftCard, first 2)" or "duplicate (all)". */
export function describeFault(rule: FaultRule): string {
  const { fault, first, nth, probability } = rule;
  const only = rule.on === 'request' ? { operation: rule.operation } : { topic: rule.topic, webhookId: rule.webhookId };
  const limits = Object.entries({ ...only, first, nth, probability }).filter(([, value]) => value !== null);
  const details = { delay: ` of ${rule.milliseconds} ms`, status: rule.on === 'request' ? ` ${rule.status}` : '' };
  const when = rule.on === 'request' ? ` ${rule.when} the change` : '';
  const strikes = limits.map(([name, value]) => `${name} ${value}`).join(', ') || 'all';
  return `${fault}${details[fault as keyof typeof details] ?? ''}${when} (${strikes})`;
}
