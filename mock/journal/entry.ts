import type { Count, Timestamp } from '../state/value-types.ts';
import type { Note } from './advice-rules.ts';
import type { ChangeSummary } from './change-summary.ts';
import type { RequestRecord } from './request-record.ts';

/** A request and its answer, with what the advice rules found in it. */
export interface Exchange extends RequestRecord {
  notes: readonly Note[];
}

/** A due event of the account's clock, or an action of the control API. */
export interface Happening {
  readonly kind: 'clock' | 'control';
  readonly number: Count;
  readonly at: Timestamp;
  /** The kind of due event, or the action. */
  readonly what: string;
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
