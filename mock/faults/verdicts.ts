import { createHash } from 'node:crypto';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';
import type { DateTime, Fraction } from '../state/value-types.ts';
import { type DeliveryRule, needsToken, type RequestRule } from './rules.ts';

export interface FaultVerdict {
  readonly verdict: 'waiting' | 'passed' | 'failed';
  readonly sentence: string;
}

export interface RequestFingerprint {
  readonly operation: OperationId;
  /** The idempotency property and value, such as `uniqueId "order-7"`. Null if the request has none. */
  readonly about: string | null;
  /** A digest of the other values. */
  readonly content: string;
}

/** A request that a fault matched, and the verdict on the client so far. */
export interface RequestMatch extends RequestFingerprint {
  readonly on: 'request';
  readonly matchedAtUtc: DateTime;
  /** The real time of the match. */
  readonly real: Fraction;
  /** True if the service made the change, although the client did not get the response. */
  changed: boolean;
  verdict: FaultVerdict['verdict'];
  sentence: string;
}

/** An operation that does harm if the client repeats it. */
interface Creation {
  /** The properties by which the service recognizes a repeat, best first. */
  readonly unique?: readonly string[];
  /** The properties that may differ between two attempts. */
  readonly varying?: readonly string[];
  /** The end of a sentence: the harm of a repeat, and the remedy. */
  readonly remedy: string;
}

const adjustment: Creation = {
  unique: ['uniqueAdjustmentId'],
  varying: ['notes', 'actionedAtUtc'],
  remedy: 'which counts the amount twice. Repeat with the same uniqueAdjustmentId, and treat "already created" as success.',
};

const creations: { readonly [id in OperationId]?: Creation } = {
  createGiftCard: {
    unique: ['uniqueId', 'code'],
    varying: ['notes', 'expiresAtUtc', 'giftScheduledForUtc'],
    remedy: 'which creates a second card. Repeat with the same uniqueId, and treat "already created" as success.',
  },
  addAdjustmentByGiftCardCode: adjustment,
  addAdjustmentByGiftCardId: adjustment,
  createAutomationTriggerEvent: {
    unique: ['idempotency_key'],
    remedy: 'which gives the reward twice. Repeat with the same idempotency_key, and treat SkippedIdempotent as success.',
  },
  createWebhook: {
    varying: ['description', 'requestHeaderVerificationToken'],
    remedy: 'so that everything is delivered twice. List the webhooks first, and register only what is missing.',
  },
  createWebStoreCoupon: {
    unique: ['code'],
    remedy: 'which creates a second coupon. Repeat with the same code, and treat "already exists" as success.',
  },
};

const digest = (value: unknown) => createHash('sha1').update(JSON.stringify(value)).digest('base64');

export function fingerprintOf(operation: OperationId, { parameters, body }: Input): RequestFingerprint {
  const creation = creations[operation];
  if (!creation) return { operation, about: null, content: digest([parameters, body]) };
  const { unique = [], varying = [] } = creation;
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = unique.find((each) => typeof given[each] === 'string' && given[each] !== '');
  const about = name === undefined ? null : `${name} ${JSON.stringify(given[name])}`;
  const rest = Object.entries(given).filter(([each]) => !unique.includes(each) && !varying.includes(each));
  return { operation, about, content: digest(rest.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Milliseconds within which equal content under another idempotency value counts as a retry. */
const RETRY_WINDOW = 60_000;

/** Returns the verdict until the next request. If the fault rejects the request, a client that does not repeat the request passes. */
export function firstVerdict({ status }: RequestRule): FaultVerdict {
  if (isRejection(status)) return passed(`The client did not repeat the request after ${status}.`);
  return { verdict: 'waiting', sentence: 'The client has not retried yet.' };
}

export const WAITED: FaultVerdict = { verdict: 'passed', sentence: 'The client waited for the delayed response.' };

/**
 * Returns the verdict after the request `next`, or undefined if the verdict stays. `since` is the number of milliseconds after the match. `isKnown`
 * is true if a match has the idempotency value of `next`.
 */
export function verdictAfter(
  { when, fault, status }: RequestRule,
  { operation, about, content, changed, verdict }: RequestMatch,
  next: RequestFingerprint,
  since: number,
  isKnown: boolean,
): FaultVerdict | undefined {
  const isEqual = operation === next.operation && content === next.content;
  const isRepeat = operation === next.operation && about === next.about && (about !== null || isEqual);
  if (fault === 'rate-limit' || status === 429) {
    if (!isRepeat || verdict !== 'waiting') return undefined;
    const sentence = `The client repeated the request after ${Math.round(since)} ms.`;
    return since >= 1000 ? passed(sentence) : failed(`${sentence} Wait at least a second, and longer each time.`);
  }
  if (isRejection(status))
    return isRepeat ? failed(`The client repeated the same request after ${status}. Correct the request instead.`) : undefined;
  if (verdict === 'passed') return undefined;

  // If the fault matched after the handling and nothing changed, the service refused the request. A repeat then does no harm.
  const creation = when === 'before' || changed ? creations[operation] : undefined;
  if (!creation) return isRepeat ? passed('The client repeated the request, which does no harm here.') : undefined;
  if (isRepeat && about !== null) return passed(`The client repeated the request with the same ${about}.`);
  if (operation === 'createWebhook' && next.operation === 'listWebhooks') return passed('The client listed the webhooks first.');
  if (!isRepeat && (!isEqual || isKnown || since >= RETRY_WINDOW)) return undefined;
  const outcome = changed ? 'The change was made' : 'The client cannot know whether the change was made';
  return failed(
    `${outcome}; then the client sent the same content with ${next.about ?? 'no idempotency value'}, ${creation.remedy}`,
  );
}

/** Reports whether the status means that the same request would fail again. */
function isRejection(status: number | null): boolean {
  return status !== null && status < 500 && status !== 408 && status !== 429;
}

const passed = (sentence: string): FaultVerdict => ({ verdict: 'passed', sentence });
const failed = (sentence: string): FaultVerdict => ({ verdict: 'failed', sentence });

/** A receiver's response to a post, or the error. */
export interface PostResponse {
  readonly response: { readonly status: number } | null;
  readonly error: string | null;
}

const isAccepted = ({ response }: PostResponse) => response !== null && response.status >= 200 && response.status < 300;
const show = ({ response, error }: PostResponse) => (response ? String(response.status) : `no response (${error})`);

/** Returns the verdict from the receiver's responses to the posts that a fault changed or added. Without a response, returns undefined. */
export function verdictOnReceiver(fault: DeliveryRule['fault'], responses: readonly PostResponse[]): FaultVerdict | undefined {
  const [first] = responses;
  if (!first || (needsToken(fault) && !first.response)) return undefined;
  const wrong = responses.find((each) => isAccepted(each) === needsToken(fault));
  if (wrong) return failed(`The receiver returned ${show(wrong)} to ${EXPECTED[fault]}`);
  if (needsToken(fault)) return passed(`The receiver rejected the delivery with ${show(first)}.`);
  const twice = fault === 'duplicate' ? ' Check that the receiver handled the event only once.' : '';
  return passed(`The receiver accepted the delivery with ${responses.map(show).join(' and ')}.${twice}`);
}

/** The end of a sentence for each fault: the post, and the right reaction of the receiver. */
const EXPECTED: Readonly<Record<DeliveryRule['fault'], string>> = {
  'wrong-signature':
    'a delivery signed with another token. Compute the signature over the received bytes, compare in constant time, and return 401 if it differs.',
  unsigned: 'a delivery without a signature, although the webhook has a token. Return 401 for such a delivery.',
  duplicate:
    'a duplicate. If the RequestId is known, ignore the event, but return 2xx. Any other response is a failure; six failures disable the webhook.',
  delay: 'a late delivery. Accept it, and read the card from the service if its current values matter.',
  're-serialized':
    'a correctly signed delivery with other whitespace, escapes and key order. Check the signature over the received bytes before parsing.',
};
