import { writeFileSync } from 'node:fs';
import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { excerpt } from '../http/excerpt.ts';
import { clauseTexts } from './contract.ts';
import { readJson } from './files.ts';
import type { ClauseResult, RunResult } from './result.ts';

/** Clauses that are known not to hold, or not to be judged for what stands in the way, each with the reason why that is put up with. */
export type Baseline = ReadonlyMap<ClauseName, string>;

/** Reads a baseline: a JSON object of reasons by clause. A misspelt clause or a missing reason is an error, since it would excuse nothing or anything. */
export function readBaseline(file: string): Baseline {
  const read = readJson(file, 'baseline');
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new UsageError(`The baseline ${file} must be a JSON object with a reason for each clause.`);
  const baseline = new Map<ClauseName, string>();
  for (const [name, reason] of Object.entries(read)) {
    if (!clauseTexts.has(name as ClauseName)) throw new UsageError(`The baseline ${file} names "${name}", which is no clause.`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError(
        `The baseline ${file} gives no reason for "${name}". Say in a few words why it may be violated for now.`,
      );
    baseline.set(name as ClauseName, reason);
  }
  return baseline;
}

/** Begins what stands in the place of a reason until somebody gives one. */
const reasonWanted = 'REASON WANTED: why may this stay for now?';

/** Violated, or not judged for something that the target should do. An answer that did not come may come the next time. */
const doesNotHold = ({ verdict, reason, level }: ClauseResult) =>
  verdict === 'fail' ||
  verdict === 'blocked' ||
  (verdict === 'untested' && (reason === 'control-failed' || (reason === 'fact-missing' && level === 'stated')));

/** The clause with what the baseline knows of it: a failure that is expected is none. */
export function asKnown(clause: ClauseResult, baseline: Baseline): ClauseResult {
  const known = baseline.get(clause.name);
  return doesNotHold(clause) && known !== undefined ? { ...clause, verdict: 'known-fail', known } : clause;
}

/** The result with what the baseline knows of: failures that are expected, and entries that are so no longer. */
export function withBaseline(result: RunResult, baseline: Baseline): RunResult {
  return {
    ...result,
    clauses: result.clauses.map((clause) => asKnown(clause, baseline)),
    staleBaseline: result.clauses.flatMap(({ name, verdict }) =>
      baseline.has(name) && (verdict === 'pass' || verdict === 'observed') ? [name] : [],
    ),
  };
}

/**
 * The baseline that fits a result: known reasons stay, also of what was not judged this time, what holds now goes, and a new failure stands with what
 * came instead, and asks for its reason.
 */
export function baselineOf(result: RunResult, before: Baseline): Baseline {
  const baseline = new Map(before);
  for (const clause of result.clauses) {
    const { name, verdict, expected = '', got = '', detail = '' } = clause;
    if (verdict === 'pass' || verdict === 'observed') baseline.delete(name);
    if (!doesNotHold(clause) || baseline.has(name)) continue;
    const what = verdict === 'fail' ? `expected ${excerpt(expected)}; got ${excerpt(got)}` : `not judged, ${excerpt(detail)}`;
    baseline.set(name, `${reasonWanted} Seen ${result.startedAt.slice(0, 10)}: ${what}`);
  }
  return baseline;
}

export function writeBaseline(file: string, baseline: Baseline): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(baseline), null, 2)}\n`);
}
