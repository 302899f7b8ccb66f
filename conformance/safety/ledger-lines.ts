import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import schema from '../generated/ledger.schema.json' with { type: 'json' };
import { parseJson } from '../http/json-search.ts';
import type { EntryStatus, Fingerprints, StoredCard, StoredRecord } from './entries.ts';

/** The version of the line format. Version 0.1 of the suite wrote the same lines, with all runs of a target in one file. */
export const VERSION = 1;

/** First line of a run. */
export interface RunLine {
  readonly ledger: number;
  readonly run: string;
  /** UTC, ISO 8601. */
  readonly began: string;
  readonly target: string;
  /** Path of the lock that the run holds while it lives. */
  readonly lock: string | null;
  readonly keys: Fingerprints;
}

/** Written and flushed before the request is sent. */
interface EntryLine {
  readonly run: string;
  readonly open: StoredCard | StoredRecord;
}

interface StatusLine extends EntryStatus {
  readonly run: string;
  /** The number of the entry. */
  readonly entry: number;
}

export type LedgerLine = RunLine | EntryLine | StatusLine;

let validate: ((line: unknown) => line is LedgerLine) | undefined;

/**
 * The valid lines of a ledger, and the numbers (from 1) of those that are damaged. A line that was cut off while it was written is not damaged: its
 * request was never sent. Throws UsageError for the file of a later version.
 */
export function readLines(text: string, path: string): { lines: LedgerLine[]; damaged: number[] } {
  validate ??= new Ajv2020({ allowUnionTypes: true }).compile<LedgerLine>(schema);
  const lines: LedgerLine[] = [];
  const damaged: number[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = parseJson(written);
    rejectLaterVersion(line, path);
    if (validate(line)) lines.push(line);
    else if (written !== '' && !isCutOff(written)) damaged.push(index + 1);
  }
  return { lines, damaged };
}

function rejectLaterVersion(line: unknown, path: string): void {
  const version = (line as { ledger?: unknown } | null | undefined)?.ledger;
  if (typeof version !== 'number' || version <= VERSION) return;
  throw new UsageError(
    `The ledger ${path} was written by a later version of giftcard-sandbox (format ${version}, this one reads ${VERSION}). Use that version, or name another folder with --ledger.`,
  );
}

const isCutOff = (text: string): boolean => text.startsWith('{') && !text.endsWith('}');
