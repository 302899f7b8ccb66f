import { createHash } from 'node:crypto';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';
import type { Fraction, Timestamp } from '../state/value-types.ts';
import { type DeliveryRule, needsToken, type RequestRule } from './rules.ts';

/** `waiting`: what the client does next decides. */
export interface Verdict {
  readonly verdict: 'waiting' | 'passed' | 'failed';
  readonly sentence: string;
}

/** Identifies a request: its operation, its idempotency value, and a digest of the rest. */
export interface RequestFingerprint {
  readonly operation: OperationId;
  /** Property and value, such as `uniqueId "order-7"`. Null if the request has none. */
  readonly unique: string | null;
  readonly content: string;
}

/** A request that a fault struck, and what the client did next. */
export interface RequestStrike extends RequestFingerprint {
  /** On the account's clock. */
  readonly at: Timestamp;
  /** In real time. */
  readonly real: Fraction;
  /** True if the change was made although the client did not get the answer. */
  changed: boolean;
  /** Milliseconds until the client repeated the request, on the clock that shows more; null if it has not. */
  repeatedAfter: Fraction | null;
  /** A request with the same content under another idempotency value, or under none. */
  other: { readonly unique: string | null } | null;
  /** True if the client listed the existing records. */
  listed: boolean;
  /** True if the client closed the connection before a delayed answer. */
  abandoned: boolean;
}

/** An operation that must not be repeated blindly. */
interface Creation {
  /** The properties by which the service recognizes a repeat, the best first. */
  readonly unique: readonly string[];
  /** Properties that may differ between two attempts. */
  readonly varying: readonly string[];
  /** The effect of a second change. */
  readonly harm: string;
  readonly remedy: string;
}

const adjustment: Creation = {
  unique: ['uniqueAdjustmentId'],
  varying: ['notes', 'actionedAtUtc'],
  harm: 'counts the amount twice',
  remedy: 'Repeat with the same uniqueAdjustmentId, and treat "already created" as success.',
};

const creations: { readonly [id in OperationId]?: Creation } = {
  createGiftCard: {
    unique: ['uniqueId', 'code'],
    varying: ['notes', 'expiresAtUtc', 'giftScheduledForUtc'],
    harm: 'creates a second card',
    remedy: 'Repeat with the same uniqueId, and treat "already created" as success.',
  },
  addAdjustmentByGiftCardCode: adjustment,
  addAdjustmentByGiftCardId: adjustment,
  createAutomationTriggerEvent: {
    unique: ['idempotency_key'],
    varying: [],
    harm: 'gives the reward twice',
    remedy: 'Repeat with the same idempotency_key, and treat SkippedIdempotent as success.',
  },
  createWebhook: {
    unique: [],
    varying: ['description', 'requestHeaderVerificationToken'],
    harm: 'registers a second webhook, so that everything is delivered twice',
    remedy: 'List the webhooks first, and register only what is missing.',
  },
  createWebStoreCoupon: {
    unique: ['code'],
    varying: [],
    harm: 'creates a second coupon',
    remedy: 'Repeat with the same code, and treat "already exists" as success.',
  },
};

export function fingerprintOf(operation: OperationId, { parameters, body }: Input): RequestFingerprint {
  const creation = creations[operation];
  if (!creation) return { operation, unique: null, content: digest([parameters, body]) };
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = creation.unique.find((each) => typeof given[each] === 'string' && given[each] !== '');
  const unique = name === undefined ? null : `${name} ${JSON.stringify(given[name])}`;
  const rest = Object.entries(given).filter(([each]) => !creation.unique.includes(each) && !creation.varying.includes(each));
  return { operation, unique, content: digest(rest.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64');
}

/** Within this time, in milliseconds, the same content under another idempotency value counts as a retry. */
const RETRY_WINDOW = 60_000;
/** The client waits at least this long after a 429, in milliseconds. */
const SHORTEST_PAUSE = 1000;

/** Records what a later request says about how the client handled a strike. `isKnown`: the request repeats another struck one. */
export function observe(
  strike: RequestStrike,
  { operation, unique, content }: RequestFingerprint,
  { at, real }: Pick<RequestStrike, 'at' | 'real'>,
  isKnown: boolean,
): void {
  if (strike.operation === 'createWebhook' && operation === 'listWebhooks') strike.listed = true;
  if (strike.operation !== operation || strike.repeatedAfter !== null) return;
  const since = Math.max(at - strike.at, real - strike.real);
  const isSameContent = strike.content === content;
  if (strike.unique === unique && (unique !== null || isSameContent)) strike.repeatedAfter = since;
  else if (creations[operation] && isSameContent && since < RETRY_WINDOW && !isKnown) strike.other ??= { unique };
}

/** Decides from the client's later requests how it handled the strike; `real` is the present in real time. */
export function verdictOn(rule: RequestRule, strike: RequestStrike, real: number): Verdict {
  const { fault, status, when, milliseconds } = rule;
  const { repeatedAfter: after, changed, abandoned } = strike;
  if (fault === 'rate-limit' || status === 429) return onRateLimit(after);
  if (fault === 'status' && status !== null && status < 500 && status !== 408 && !changed) return onRejection(status, after);
  const creation = creations[strike.operation];
  // A request that the service refused changed nothing, and may be sent again in another form.
  const verdict = creation && (when === 'before' || changed) ? onCreation(creation, strike) : onHarmless(after);
  if (verdict) return verdict;
  if (fault === 'delay' && !abandoned && real - strike.real >= milliseconds)
    return passed('The client waited for the delayed answer.');
  return waiting(abandoned ? 'The client closed the connection and has not retried yet.' : 'The client has not retried yet.');
}

function onRateLimit(after: number | null): Verdict {
  if (after === null) return waiting('The client has not repeated the request yet.');
  const sentence = `The client repeated the request after ${Math.round(after)} ms.`;
  return after >= SHORTEST_PAUSE ? passed(sentence) : failed(`${sentence} Wait at least a second, and longer each time.`);
}

function onRejection(status: number, after: number | null): Verdict {
  if (after === null) return passed(`The client did not repeat the request after ${status}.`);
  return failed(`The client repeated the same request after ${status}. Correct the request instead.`);
}

function onHarmless(after: number | null): Verdict | undefined {
  return after === null ? undefined : passed('The client repeated the request, which does no harm here.');
}

function onCreation({ harm, remedy }: Creation, strike: RequestStrike): Verdict | undefined {
  const { repeatedAfter, unique, other, listed, changed } = strike;
  const outcome = changed ? 'The change was made' : 'The client cannot know whether the change was made';
  if (repeatedAfter !== null && unique !== null) return passed(`The client repeated the request with the same ${unique}.`);
  if (listed) return passed('The client listed what exists.');
  if (repeatedAfter === null && !other) return undefined;
  const value = other?.unique ?? 'no idempotency value';
  return failed(`${outcome}; the client sent the same content with ${value}, which ${harm}. ${remedy}`);
}

const waiting = (sentence: string): Verdict => ({ verdict: 'waiting', sentence });
const passed = (sentence: string): Verdict => ({ verdict: 'passed', sentence });
const failed = (sentence: string): Verdict => ({ verdict: 'failed', sentence });

/** A receiver's answer to one post, or why there was none. */
export interface PostAnswer {
  readonly answer: { readonly status: number } | null;
  readonly error: string | null;
}

const isAccepted = ({ answer }: PostAnswer) => answer !== null && answer.status >= 200 && answer.status < 300;
const show = ({ answer, error }: PostAnswer) => (answer ? String(answer.status) : `no answer (${error})`);

/** Decides from the receiver's answers to the posts that a fault changed or added how it handled the fault; undefined if they do not decide it. */
export function verdictOnReceiver(fault: DeliveryRule['fault'], answers: readonly PostAnswer[]): Verdict | undefined {
  const [first] = answers;
  if (!first || (needsToken(fault) && !first.answer)) return undefined;
  const wrong = answers.find((each) => isAccepted(each) === needsToken(fault));
  if (wrong) return { verdict: 'failed', sentence: `The receiver answered ${show(wrong)} to ${EXPECTED[fault]}` };
  if (needsToken(fault)) return { verdict: 'passed', sentence: `The receiver rejected it with ${show(first)}.` };
  const twice = fault === 'duplicate' ? ' Check in its data that it acted only once.' : '';
  return { verdict: 'passed', sentence: `The receiver accepted it with ${answers.map(show).join(' and ')}.${twice}` };
}

/** The post of each fault, and what the receiver should do with it. */
const EXPECTED: Readonly<Record<DeliveryRule['fault'], string>> = {
  'wrong-signature':
    'a delivery signed with another token. Compute the signature over the received bytes, compare in constant time, and answer 401 if it differs.',
  unsigned: 'a delivery without a signature although its webhook has a token. Answer 401 to it.',
  duplicate: 'a duplicate. Ignore a known RequestId, but answer 2xx: any other answer counts as one of six failures.',
  delay: 'a late delivery. Accept it, and read the card from the service if its current values matter.',
  're-serialized':
    'a correctly signed delivery with other whitespace, escapes and key order. Check the signature over the received bytes before parsing.',
};
