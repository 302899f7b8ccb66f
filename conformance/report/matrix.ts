import type { Result } from '../core/result.ts';
import { excerpt, formatCount } from '../core/text.ts';
import type { Table } from './document.ts';

/** The clauses with different outcomes in several results: one row per clause, one column per result. */
export function differingClauses(results: readonly Result[], letters: readonly string[]): Table {
  const outcomes = results.map((result) => new Map(outcomesOf(result)));
  const names = [...new Set(outcomes.flatMap((each) => [...each.keys()]))];
  const rows = names
    .map((name) => [name, ...outcomes.map((each) => each.get(name) ?? '–')])
    .filter(([, ...cells]) => new Set(cells).size > 1);
  return {
    title: `${rows.length} of ${formatCount(names.length, 'clause')} with different outcomes`,
    head: ['Clause', ...letters],
    rows,
  };
}

/** The observation, if there is one; else the verdict. */
function outcomesOf(result: Result): [name: string, outcome: string][] {
  if (result.kind !== 'run') return [];
  return result.clauses.map(({ name, verdict, observation }) => [name, excerpt(observation?.text ?? verdict, 60)]);
}
