import type { ClauseResult, RunResult } from '../../core/result.ts';
import { escaped } from '../escape.ts';
import { interruptedTold, outcome, verdicts } from '../headline.ts';
import { letterOf } from '../matrix.ts';
import { bySection } from '../sections.ts';
import { clauseDetails, type Row } from './clause.ts';
import { Places } from './exchanges.ts';
import { overview } from './overview.ts';
import { filterBar, shell } from './shell.ts';

/**
 * One page that needs nothing else: what was found on top, the clauses by section, every exchange folded under its clause; of several runs, their
 * verdicts beside each other.
 */
export function htmlReport(results: readonly RunResult[]): string {
  const rows = rowsOf(results);
  const places = new Places(results);
  const title =
    results.length === 1 ? `${outcome(results[0] as RunResult).says}: ${results[0]?.target}` : `${results.length} targets`;
  return shell({
    title,
    header: overview(results),
    bar: bar(rows, results.length > 1),
    main: bySection(rows.map((row) => ({ from: row.clause.from, row })))
      .map((each) => section(each, places))
      .join(''),
    footer: `${endTold(results)}Written by ${results[0]?.suite ?? ''}. All of it stands in this one file; results.json has it for machines.`,
  });
}

/** Whoever comes from the end of the clauses may not have seen the top. */
const endTold = (results: readonly RunResult[]): string =>
  results
    .flatMap((result) => interruptedTold(result).map((each) => (results.length > 1 ? `${result.target}: ${each} ` : `${each} `)))
    .join('');

function rowsOf(results: readonly RunResult[]): Row[] {
  const found = results.map(({ clauses }) => new Map<string, ClauseResult>(clauses.map((clause) => [clause.name, clause])));
  const all = new Map<string, ClauseResult>();
  for (const clauses of found) for (const [name, clause] of clauses) if (!all.has(name)) all.set(name, clause);
  return [...all].map(([name, clause]) => ({
    clause,
    found: results.map((run, index) => ({ run, letter: letterOf(index), clause: found[index]?.get(name) })),
  }));
}

function section({ heading, clauses }: { heading: string; clauses: readonly { row: Row }[] }, places: Places): string {
  const all = clauses.flatMap(({ row }) => row.found.flatMap(({ clause }) => (clause ? [clause.verdict] : [])));
  const counts = verdicts.flatMap((verdict) => {
    const number = all.filter((each) => each === verdict).length;
    return number > 0 ? [`${number} ${verdict}`] : [];
  });
  return `<section><h2>${escaped(heading)}<small>${counts.join(', ')}</small></h2>
${clauses.map(({ row }) => clauseDetails(row, places)).join('')}</section>
`;
}

function bar(rows: readonly Row[], several: boolean): string {
  const has = (verdict: string) => rows.filter(({ found }) => found.some(({ clause }) => clause?.verdict === verdict)).length;
  const buttons = verdicts.flatMap((verdict) => (has(verdict) > 0 ? [[verdict, `${verdict} ${has(verdict)}`] as const] : []));
  return filterBar([...buttons, ...(several ? [['differs', 'differs'] as const] : [])]);
}
