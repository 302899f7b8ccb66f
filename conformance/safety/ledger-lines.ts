import { existsSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readText } from '../../cli/user-files.ts';
import schema from '../generated/ledger.schema.json' with { type: 'json' };
import { parseJson } from '../http/json-search.ts';
import {
  type EntryStatus,
  type Fingerprints,
  keyOfAccount,
  type LedgerEntry,
  type StoredCard,
  type StoredRecord,
  type TargetKeys,
} from './entries.ts';

/** First line of a run. */
interface RunLine {
  /** The version of the line format. */
  readonly ledger: 1;
  readonly run: string;
  /** UTC, ISO 8601. */
  readonly began: string;
  readonly target: string;
  readonly lock: string | null;
  readonly keys: Fingerprints;
}

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

/** A run with its entries and their last status. */
export interface StoredRun extends Omit<RunLine, 'ledger'> {
  readonly file: string;
  readonly entries: LedgerEntry[];
}

export type LedgerFile = ReturnType<typeof readLedgerFile>;

let validate: ((line: unknown) => line is LedgerLine) | undefined;

/** Reads a ledger file and checks every line. If `keys` does not contain the key of an entry, marks the entry as `outOfReach`. */
export function readLedgerFile(file: string, keys?: TargetKeys) {
  validate ??= new Ajv2020({ allowUnionTypes: true }).compile<LedgerLine>(schema);
  const runs = new Map<string, StoredRun>();
  const damaged: number[] = [];
  // Another process may have deleted the file.
  const lines = existsSync(file) ? readText(file, 'ledger').split('\n') : [];
  for (const [index, text] of lines.entries()) {
    const line = parseJson(text);
    // If a line was cut off, its request was never sent.
    const isCutOff = text.startsWith('{') && !text.endsWith('}');
    if (validate(line)) applyLine(line, runs, file, keys);
    else if (text !== '' && !isCutOff) damaged.push(index + 1);
  }
  const damage = `${file} is damaged at line ${damaged.join(', ')}: a damaged line may have listed a card that still exists. Look for cards of the suite in the account, and then delete these lines.`;
  return { file, runs: [...runs.values()], damage: damaged.length > 0 ? [damage] : [] };
}

function applyLine(line: LedgerLine, runs: Map<string, StoredRun>, file: string, keys: TargetKeys | undefined): void {
  if ('began' in line) runs.set(line.run, { ...line, file, entries: [] });
  const run = runs.get(line.run);
  if (run && 'open' in line)
    run.entries.push({ ...line.open, ...keyOfAccount(line.open.account, run, keys), state: 'requested' });
  if (!('entry' in line)) return;
  const { run: _, entry: number, ...status } = line;
  const entry = run?.entries.find((each) => each.number === number);
  if (entry) Object.assign(entry, status);
}
