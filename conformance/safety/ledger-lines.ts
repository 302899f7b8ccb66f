import { existsSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../../command-line/usage-error.ts';
import { readText } from '../core/files.ts';
import schema from '../generated/ledger.schema.json' with { type: 'json' };
import { parseJson } from '../http/json-search.ts';
import { type Entry, type EntryStatus, isPending, type Keys, type State, type StoredCard, type StoredRecord } from './entries.ts';
import { type Fingerprints, keyOf } from './keys.ts';

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

interface StatusLine extends Omit<EntryStatus, 'state'> {
  readonly run: string;
  /** The number of the entry. */
  readonly entry: number;
  /** Version 0.1 also wrote `left`, for an entry that a sweep could not prove gone. */
  readonly state: State | 'left';
  /** Written by version 0.1: the service confirmed the creation. */
  readonly made?: boolean;
}

export type LedgerLine = RunLine | EntryLine | StatusLine;

/** A run as the ledger has it: what it created, each with its last status. */
export interface StoredRun extends Omit<RunLine, 'ledger'> {
  readonly file: string;
  readonly entries: Entry[];
}

/** A ledger file: its runs, and the numbers (from 1) of the lines that cannot be read. */
export interface LedgerFile {
  readonly file: string;
  readonly runs: readonly StoredRun[];
  readonly damaged: readonly number[];
}

let validate: ((line: unknown) => line is LedgerLine) | undefined;

/**
 * Reads a ledger file and checks every line. A line that was cut off while it was written is not damaged: its request was never sent. An entry whose key
 * is not among those given is out of reach. Throws UsageError for the file of a later version.
 */
export function readLedgerFile(file: string, keys?: Keys): LedgerFile {
  validate ??= new Ajv2020({ allowUnionTypes: true }).compile<LedgerLine>(schema);
  const runs = new Map<string, StoredRun>();
  const damaged: number[] = [];
  const text = existsSync(file) ? readText(file, 'ledger') : '';
  for (const [index, written] of text.split('\n').entries()) {
    const line = parseJson(written);
    rejectLaterVersion(line, file);
    if (validate(line)) applyLine(line, runs, file, keys);
    else if (written !== '' && !isCutOff(written)) damaged.push(index + 1);
  }
  return { file, runs: [...runs.values()], damaged };
}

function applyLine(line: LedgerLine, runs: Map<string, StoredRun>, file: string, keys: Keys | undefined): void {
  if ('began' in line) runs.set(line.run, { ...line, file, entries: [] });
  const run = runs.get(line.run);
  if (!run) return;
  if ('open' in line) run.entries.push({ ...line.open, ...keyOf(line.open.account, run, keys), state: 'asked' });
  if (!('entry' in line)) return;
  const { run: _, entry: number, made = false, state, ...status } = line;
  const entry = run.entries.find((each) => each.number === number);
  if (entry) Object.assign(entry, status, { state: state === 'left' ? (made ? 'created' : 'asked') : state });
}

function rejectLaterVersion(line: unknown, path: string): void {
  const version = (line as { ledger?: unknown } | null | undefined)?.ledger;
  if (typeof version !== 'number' || version <= VERSION) return;
  throw new UsageError(
    `The ledger ${path} was written by a later version of giftcard-sandbox (format ${version}, this one reads ${VERSION}). Use that version, or name another folder with --ledger.`,
  );
}

const isCutOff = (text: string): boolean => text.startsWith('{') && !text.endsWith('}');

/** Whether nothing of its runs is left. */
export const isClean = ({ runs, damaged }: LedgerFile): boolean =>
  runs.length > 0 && damaged.length === 0 && !runs.some(({ entries }) => entries.some(isPending));
