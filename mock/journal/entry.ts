import type { OperationId } from '../../openapi/generated/validators.js';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Touched } from '../state/change-summary.ts';
import type { Note } from './lessons.ts';

/**
 * What the journal keeps: values that hold on to nothing larger than themselves, and of headers that are secrets nothing but that they were there.
 * Addresses and bodies are kept as they came; whoever shows them hides what is secret (secrets/).
 */

/** A body that was sent, cut where it is too long to be kept; `bytes` is how long it was. */
export interface Kept {
  readonly text: string;
  readonly bytes: number;
  readonly cut: boolean;
}

/** A request and its answer, under the number of what it caused. */
export interface Exchange {
  readonly kind: 'request';
  readonly number: number;
  /** On the account's clock, in milliseconds since 1970. */
  readonly at: number;
  /** Of the machine, from the request to the answer. */
  readonly milliseconds: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One letter for each byte, so that whatever came can be repeated; undefined without a body, null for one that was refused for its size. */
  readonly body: Kept | null | undefined;
  readonly status: number;
  readonly mediaType: string;
  /** Cut where it is too long to be kept; `answerBytes` is how long it was. */
  readonly answer: string;
  readonly answerBytes: number;
  readonly answerCut: boolean;
  readonly operation: OperationId | undefined;
  readonly refusal: RefusalCode | undefined;
  /** What was set at the control door to go wrong with it, in words. */
  readonly fault: string | undefined;
  /** With what came of it later. */
  touched: readonly Touched[];
  /** What the request did that will hurt in production; what comes later can take one back. */
  notes: readonly Note[];
}

/** What was caused by no request: a moment of the account's clock, or somebody at the control door. */
export interface Happening {
  readonly kind: 'clock' | 'control';
  readonly number: number;
  readonly at: number;
  /** The kind of due moment, or the control action. */
  readonly what: string;
  touched: readonly Touched[];
}

export type Entry = Exchange | Happening;

/** The longest that is kept whole: of a body that was sent in bytes, of any other text in letters. */
export const LONGEST = 16 * 1024;

/** How many letters an entry holds on to; the object and its short fields are counted by who bounds it. */
export function lengthOf(entry: Entry): number {
  const changes = entry.touched.length * TOUCHED;
  if (entry.kind !== 'request') return changes;
  const { target, body, answer, notes } = entry;
  return changes + target.length + (body?.text.length ?? 0) + answer.length + notes.length * TOUCHED;
}

/** A change or a note, in letters. */
const TOUCHED = 80;

/** The text as it can be kept: a long one is copied, since a part of a text holds on to the whole. */
export function kept(text: string): string {
  return text.length <= LONGEST ? text : Buffer.from(text.slice(0, LONGEST), 'utf8').toString('utf8');
}

/** The body as it can be kept: not in its buffer, which may be a part of a large one. */
export function keptBytes(body: Buffer): Kept {
  return { text: body.toString('latin1', 0, LONGEST), bytes: body.length, cut: body.length > LONGEST };
}
