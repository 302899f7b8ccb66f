import type { OperationId } from '../../openapi/generated/validators.js';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Count, Fraction, Timestamp } from '../state/value-types.ts';
import type { ChangeSummary } from './change-summary.ts';

/** The longest text kept whole: bytes of a body, characters of other texts. */
export const MAX_KEPT = 16 * 1024;

/** A body as it was sent, cut after MAX_KEPT. */
export interface KeptBody {
  /** One character for each byte, so that any body can be repeated. */
  readonly text: string;
  /** Before it was cut. */
  readonly bytes: number;
  readonly cut: boolean;
}

/**
 * A request and its answer. Secret headers and secret parameters of the URL are masked; bodies are kept as sent and are redacted when they are shown.
 */
export interface RequestRecord {
  readonly kind: 'request';
  /** The number of its cause. */
  readonly number: Count;
  /** On the account's clock. */
  readonly at: Timestamp;
  /** Real time from the request to the answer. */
  readonly milliseconds: Fraction;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without a body, null if it was rejected for its size. */
  readonly body: KeptBody | null | undefined;
  readonly status: number;
  readonly mediaType: string;
  /** Cut after MAX_KEPT. */
  readonly answer: string;
  /** Before the answer was cut. */
  readonly answerBytes: number;
  readonly answerCut: boolean;
  readonly operation: OperationId | undefined;
  readonly refusal: RefusalCode | undefined;
  /** The fault that struck it, in words. */
  readonly fault: string | undefined;
  /** Later changes with the same cause are added. */
  touched: readonly ChangeSummary[];
}

/** True if two requests have the same method, target and body. */
export function isSameRequest(one: RequestRecord, other: RequestRecord): boolean {
  return one.method === other.method && one.target === other.target && one.body?.text === other.body?.text;
}

/** A cut text is copied, since a slice holds on to the whole string. */
export function truncateText(text: string): string {
  return text.length <= MAX_KEPT ? text : Buffer.from(text.slice(0, MAX_KEPT), 'utf8').toString('utf8');
}

export function truncateBody(body: Buffer): KeptBody {
  return { text: body.toString('latin1', 0, MAX_KEPT), bytes: body.length, cut: body.length > MAX_KEPT };
}
