import { writeFileSync } from 'node:fs';
import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from './contract.ts';
import { readJson } from './files.ts';
import type { ClauseResult, RunResult } from './result.ts';
import { excerpt } from './text.ts';

/** Clauses that may fail or be untestable, with the user's reason for each clause. */
export type Baseline = ReadonlyMap<ClauseName, string>;

/** Reads a JSON file with the names of clauses, each with a reason. Throws UsageError for an unknown clause and for a missing reason. */
export function readBaseline(file: string): Baseline {
  const read = readJson(file, 'baseline');
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new UsageError(`The baseline ${file} must be a JSON object with a reason for each clause.`);
  const baseline = new Map<ClauseName, string>();
  for (const [name, reason] of Object.entries(read)) {
    if (!clauseTexts.has(name as ClauseName))
      throw new UsageError(`The baseline ${file} names "${name}", which is not a clause.`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError(`The baseline ${file} gives no reason for "${name}". State why the clause may be violated for now.`);
    baseline.set(name as ClauseName, reason);
  }
  return baseline;
}

/** Marks an entry for which the user must still write a reason. */
const reasonWanted = 'REASON WANTED: why may this stay for now?';

/** Reports whether a baseline may list the clause. If the target gave no answer, the baseline may not list the clause, because the next run may get an answer. */
const isExcusable = ({ verdict, reason, level }: ClauseResult) =>
  verdict === 'fail' ||
  verdict === 'blocked' ||
  (verdict === 'untested' && (reason === 'control-failed' || (reason === 'fact-missing' && level === 'stated')));

export function markIfKnown(clause: ClauseResult, baseline: Baseline): ClauseResult {
  const known = baseline.get(clause.name);
  return isExcusable(clause) && known !== undefined ? { ...clause, verdict: 'known-fail', known } : clause;
}

export function applyBaseline(result: RunResult, baseline: Baseline): RunResult {
  return {
    ...result,
    clauses: result.clauses.map((clause) => markIfKnown(clause, baseline)),
    staleBaseline: result.clauses.flatMap(({ name, verdict }) =>
      baseline.has(name) && (verdict === 'pass' || verdict === 'observed') ? [name] : [],
    ),
  };
}

/** Returns the new baseline. It keeps known reasons, drops clauses that pass, and adds new failures. */
export function buildBaseline(result: RunResult, before: Baseline): Baseline {
  const baseline = new Map(before);
  for (const clause of result.clauses) {
    const { name, verdict, expected = '', got = '', detail = '' } = clause;
    if (verdict === 'pass' || verdict === 'observed') baseline.delete(name);
    if (!isExcusable(clause) || baseline.has(name)) continue;
    const what = verdict === 'fail' ? `expected ${excerpt(expected)}; got ${excerpt(got)}` : `not tested, ${excerpt(detail)}`;
    baseline.set(name, `${reasonWanted} Seen ${result.startedAt.slice(0, 10)}: ${what}`);
  }
  return baseline;
}

export function writeBaseline(file: string, baseline: Baseline): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(baseline), null, 2)}\n`);
}
