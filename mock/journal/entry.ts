import type { OperationId } from '../../openapi/generated/validators.js';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Count, Fraction, Timestamp } from '../state/value-types.ts';
import type { ChangeSummary } from './change-summary.ts';

/** The longest text kept whole, in characters. */
export const MAX_KEPT = 16 * 1024;

/** A body as text, cut after MAX_KEPT. */
interface KeptBody {
  readonly text: string;
  /** Before it was cut. */
  readonly bytes: number;
  readonly cut: boolean;
}

/** A finding of an advice rule in a request. */
export interface Note {
  /** The name of the rule. */
  readonly name: string;
  /** A sentence. */
  readonly seen: string;
}

/**
 * A request and its answer. Secret headers and secret parameters of the URL are masked; bodies are kept as sent and are redacted when they are shown.
 */
export interface Exchange {
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
  notes: readonly Note[];
}

/** A due event of the account's clock, or an action of the control API. */
interface Happening {
  readonly kind: 'clock' | 'control';
  readonly number: Count;
  readonly at: Timestamp;
  /** The kind of due event, or the action. */
  readonly what: string;
  /** The card of a due event. */
  readonly giftCardId?: string | undefined;
  touched: readonly ChangeSummary[];
}

export type Entry = Exchange | Happening;

/** Counted for a change or a note, in characters. */
const CHANGE_LENGTH = 80;

/** The length of an entry's long texts, in characters. */
export function lengthOf(entry: Entry): number {
  const changes = entry.touched.length * CHANGE_LENGTH;
  if (entry.kind !== 'request') return changes;
  const { target, body, answer, notes } = entry;
  return changes + target.length + (body?.text.length ?? 0) + answer.length + notes.length * CHANGE_LENGTH;
}

/** True if two requests have the same method, target and body. */
export function isSameRequest(one: Exchange, other: Exchange): boolean {
  return one.method === other.method && one.target === other.target && one.body?.text === other.body?.text;
}

/** A cut text is copied, since a slice holds on to the whole string. */
export function truncateText(text: string): string {
  return text.length <= MAX_KEPT ? text : Buffer.from(text.slice(0, MAX_KEPT), 'utf8').toString('utf8');
}

export function truncateBody(body: Buffer): KeptBody {
  // A character has at most four bytes.
  const text = body.toString('utf8', 0, 4 * MAX_KEPT);
  return { text: truncateText(text), bytes: body.length, cut: text.length > MAX_KEPT };
}
