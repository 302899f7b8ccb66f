import type { OperationId } from '../../openapi/generated/validators.js';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Count, Fraction, Timestamp } from '../state/value-types.ts';
import type { ChangeSummary } from './change-summary.ts';

/** Longer texts are cut to this number of characters. */
export const MAX_KEPT = 16 * 1024;

/** A body as text, cut after MAX_KEPT; `bytes` is the length before the cut. */
interface KeptBody {
  readonly text: string;
  readonly bytes: number;
  readonly cut: boolean;
}

/** A sentence that an advice rule returned for a request. */
export interface Note {
  readonly name: string;
  readonly seen: string;
}

/** A request and its response. Headers and URL are kept without secrets. Bodies are kept as sent, and are redacted when a client reads them. */
export interface JournalExchange {
  readonly kind: 'request';
  /** The ID of the cause. */
  readonly number: Count;
  readonly at: Timestamp;
  /** Real time in which the request was handled, without waits for its body, due events, the store or a fault. */
  readonly milliseconds: Fraction;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body, null if the body was too large. */
  readonly body: KeptBody | null | undefined;
  readonly status: number;
  readonly mediaType: string;
  /** Cut after MAX_KEPT; `responseBytes` is the length before the cut. */
  readonly response: string;
  readonly responseBytes: number;
  readonly responseCut: boolean;
  readonly operation: OperationId | undefined;
  readonly refusal: RefusalCode | undefined;
  /** A description of the fault that matched the request. */
  readonly fault: string | undefined;
  /** The changes so far: later changes with the same cause are added. */
  touched: readonly ChangeSummary[];
  notes: readonly Note[];
}

/** A due event of the account's clock, or an action of the control API. */
interface JournalEvent {
  readonly kind: 'clock' | 'control';
  readonly number: Count;
  readonly at: Timestamp;
  readonly what: string;
  readonly giftCardId?: string | undefined;
  touched: readonly ChangeSummary[];
}

export type JournalEntry = JournalExchange | JournalEvent;

/** The estimated length of a change or a note, in characters. */
const CHANGE_LENGTH = 80;

/** Returns the length of an entry's texts, in characters. */
export function entryLength(entry: JournalEntry): number {
  const changes = entry.touched.length * CHANGE_LENGTH;
  if (entry.kind !== 'request') return changes;
  const { target, body, response, notes } = entry;
  return changes + target.length + (body?.text.length ?? 0) + response.length + notes.length * CHANGE_LENGTH;
}

export function isSameRequest(one: JournalExchange, other: JournalExchange): boolean {
  return one.method === other.method && one.target === other.target && one.body?.text === other.body?.text;
}

/** Cuts the text. Returns a copy, because a slice of a string keeps the whole string in memory. */
export function truncateText(text: string): string {
  return text.length <= MAX_KEPT ? text : Buffer.from(text.slice(0, MAX_KEPT), 'utf8').toString('utf8');
}

export function truncateBody(body: Buffer): KeptBody {
  // A character has at most four bytes in UTF-8, so these bytes have enough characters.
  const text = body.toString('utf8', 0, 4 * MAX_KEPT);
  return { text: truncateText(text), bytes: body.length, cut: text.length > MAX_KEPT };
}
