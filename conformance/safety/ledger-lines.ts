import { UsageError } from '../cli/usage-error.ts';
import { jsonIn } from '../http/json-text.ts';
import type { AccountName, Entry, RecordEntry, State } from './entries.ts';
import type { Fingerprints } from './fingerprints.ts';

/** The lines of a ledger: that a run began, that it is about to ask for something, and how that stands. */

export const VERSION = 1;

export interface Beginning {
  readonly ledger: number;
  readonly run: string;
  readonly began: string;
  readonly target: string;
  /** By which others see whether the run lives. */
  readonly lock: string | null;
  readonly keys: Fingerprints;
}

/** An entry without what only the process knows. */
export type Written = Omit<Entry, 'key' | 'state' | 'outOfReach'>;

interface Change {
  entry: number;
  state: State;
  made?: boolean;
  removing?: boolean;
  answered?: number;
  code?: string;
  id?: string | number;
  shown?: boolean;
}

export type Line = Beginning | { run: string; open: Written & { account: AccountName } } | ({ run: string } & Change);

/** How an entry stands. */
export function changeOf(entry: Entry): Change {
  const { number, state, made, answered } = entry;
  const own = entry.kind === 'card' ? { code: entry.code } : marksOf(entry);
  return {
    entry: number,
    state,
    ...(made ? { made } : {}),
    ...(answered === undefined ? {} : { answered }),
    ...own,
    ...(entry.id === undefined ? {} : { id: entry.id }),
  };
}

function marksOf({ removing, shown }: RecordEntry) {
  return { ...(removing ? { removing } : {}), ...(shown ? { shown } : {}) };
}

/** The lines of a file, and the numbers of those that cannot be read, counted from 1. Throws UsageError for a file of a later version, of which nobody knows what it means. */
export function linesIn(text: string, path: string): { lines: Line[]; damaged: number[] } {
  const lines: Line[] = [];
  const damaged: number[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = parsed(written);
    if (line) lines.push(line);
    else if (written !== '' && !isCutOff(written)) damaged.push(index + 1);
  }
  const later = lines.find((line): line is Beginning => 'began' in line && (line.ledger ?? 0) > VERSION);
  if (later)
    throw new UsageError(
      `The ledger ${path} was written by a later version of giftcard-sandbox (${later.ledger}, and this one reads ${VERSION}). Use that version, or name another file with --ledger FILE.`,
    );
  return { lines, damaged };
}

function parsed(text: string): Line | undefined {
  const line = jsonIn(text);
  const isLine = typeof line === 'object' && line !== null && typeof (line as { run?: unknown }).run === 'string';
  return isLine ? (line as Line) : undefined;
}

/** The beginning of a line: whoever wrote it was stopped before the line was whole, and so before the request that it was about. */
const isCutOff = (text: string): boolean => text.startsWith('{') && !text.endsWith('}');
