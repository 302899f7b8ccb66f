import type { OperationId } from '../../openapi/generated/validators.js';
import type { RandomSource } from '../account/clock.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count, ErrorStatus, Fraction } from '../state/value-types.ts';

/** Limits which requests or deliveries a rule matches. At most one property is set. If all are null, the rule always matches. */
interface Selection {
  readonly first: Count | null;
  readonly nth: Count | null;
  /** The probability of a match, from 0 to 1. */
  readonly probability: Fraction | null;
}

/**
 * `reset` breaks the connection instead of responding. `truncate` closes the connection in the middle of the response. `rate-limit` sends the service's
 * own 429.
 */
export interface RequestRule extends Selection {
  readonly on: 'request';
  readonly fault: 'status' | 'rate-limit' | 'delay' | 'reset' | 'truncate';
  /** Null for all operations. */
  readonly operation: OperationId | null;
  /** With `after`, the service makes the change, and only the response is lost. */
  readonly when: 'before' | 'after';
  readonly status: ErrorStatus | null;
  readonly body: string | null;
  /** Milliseconds of real time before the response. */
  readonly milliseconds: Count;
}

/**
 * `re-serialized` posts the same JSON in other bytes with a correct signature. `wrong-signature` and `unsigned` first post a forged
 * delivery (the decoy), and then the real delivery. The receiver must reject the decoy.
 */
export interface DeliveryRule extends Selection {
  readonly on: 'delivery';
  readonly fault: 'duplicate' | 'delay' | 're-serialized' | 'wrong-signature' | 'unsigned';
  /** Null for all topics. */
  readonly topic: Topic | null;
  readonly webhookId: string | null;
  /** Milliseconds of real time before the delivery. */
  readonly milliseconds: Count;
}

export type FaultRule = RequestRule | DeliveryRule;

/** Reports whether a receiver needs the webhook's token to recognize the fault. */
export function needsToken(fault: DeliveryRule['fault']): boolean {
  return fault === 'wrong-signature' || fault === 'unsigned';
}

type Optional<T> = { readonly [name in keyof T]?: T[name] | undefined };

/** A rule in the form that users write. Users may omit `on`, except for a `delay` of deliveries. */
export type WantedFault = Pick<FaultRule, 'fault'> &
  Optional<Pick<FaultRule, 'on'> & Omit<RequestRule, 'on' | 'fault'> & Omit<DeliveryRule, 'on' | 'fault'>>;

const selection = ['first', 'nth', 'probability'];
const ofRequest = [...selection, 'operation', 'milliseconds'];
const ofDelivery = [...selection, 'topic', 'webhookId'];

/** The properties that a user may give for each fault. */
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

/** Returns a sentence if a rule contradicts itself. */
export function objectionTo(wanted: WantedFault): string | undefined {
  const { fault, milliseconds } = wanted;
  const on = targetOf(wanted);
  const own = properties[on][fault];
  if (!own) return `"${fault}" is not a fault of a ${on}; leave "on" out.`;
  const given = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const foreign = given.find((name) => !['fault', 'on', ...own].includes(name));
  if (foreign) return `The fault "${fault}" of a ${on} has no ${foreign}; it has ${own.join(', ')}.`;
  if (fault === 'delay' && !milliseconds) return 'A delay needs milliseconds above 0.';
  const limits = selection.filter((name) => given.includes(name));
  return limits.length > 1 ? 'Give at most one of first, nth and probability.' : undefined;
}

/** Fills in the defaults of a rule that `objectionTo` has accepted. */
export function ruleFrom(wanted: WantedFault): FaultRule {
  const { fault, milliseconds = 0, first = null, nth = null, probability = null } = wanted;
  const common = { milliseconds, first, nth, probability };
  if (targetOf(wanted) === 'delivery') {
    const { topic = null, webhookId = null } = wanted;
    return { on: 'delivery', fault: fault as DeliveryRule['fault'], topic, webhookId, ...common };
  }
  const { operation = null, status = fault === 'status' ? 503 : null } = wanted;
  const { body = status === null ? null : `The service responds with ${status}.` } = wanted;
  const { when = fault === 'delay' || fault === 'truncate' ? 'after' : 'before' } = wanted;
  return { on: 'request', fault: fault as RequestRule['fault'], operation, when, status, body, ...common };
}

/** Reports whether a rule matches a request or delivery. `count` is the number of the request or delivery, from 1. */
export function selects({ first, nth, probability }: Selection, count: number, random: RandomSource): boolean {
  if (first !== null) return count <= first;
  if (nth !== null) return count === nth;
  return probability === null || random.below(0x1_0000) < probability * 0x1_0000;
}

/** Describes a rule: "status 503 before the change (operation createGiftCard, first 2)" or "duplicate (all)". */
export function describeFault(rule: FaultRule): string {
  const { fault, first, nth, probability } = rule;
  const only = rule.on === 'request' ? { operation: rule.operation } : { topic: rule.topic, webhookId: rule.webhookId };
  const limits = Object.entries({ ...only, first, nth, probability }).filter(([, value]) => value !== null);
  const details = { delay: ` of ${rule.milliseconds} ms`, status: rule.on === 'request' ? ` ${rule.status}` : '' };
  const when = rule.on === 'request' ? ` ${rule.when} the change` : '';
  const matches = limits.map(([name, value]) => `${name} ${value}`).join(', ') || 'all';
  return `${fault}${details[fault as keyof typeof details] ?? ''}${when} (${matches})`;
}
