import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { counted } from '../core/counted.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import { excerpt } from '../http/excerpt.ts';
import { headline } from './headline.ts';

/** What several runs do not have in common: a row for each clause, with a cell for each run. */
interface Matrix {
  readonly rows: readonly { readonly name: ClauseName; readonly cells: readonly (ClauseResult | undefined)[] }[];
  /** How many clauses differ, of how many. */
  readonly says: string;
}

export function matrixOf(results: readonly RunResult[]): Matrix {
  const found = results.map(({ clauses }) => new Map(clauses.map((clause) => [clause.name, clause])));
  const names = [...new Set(found.flatMap((clauses) => [...clauses.keys()]))];
  const all = names.map((name) => ({ name, cells: found.map((clauses) => clauses.get(name)) }));
  const rows = all.filter(({ cells }) => new Set(cells.map(inCell)).size > 1);
  return { rows, says: `${rows.length} of ${counted(names.length, 'clause')} ${rows.length === 1 ? 'differs' : 'differ'}` };
}

/** What a run found of a clause: what was observed, where that is what counts, and else the verdict; nothing where the run did not have it. */
export const inCell = (clause: ClauseResult | undefined): string => clause?.observation?.text ?? clause?.verdict ?? '';

/** What stands for a run where several are shown beside each other. */
export const letterOf = (index: number) => (index < 26 ? String.fromCharCode(65 + index) : `#${index + 1}`);

const widest = 32;

/** The runs by letter, and a table of the clauses that differ, and of no others. */
export function matrixText(results: readonly RunResult[]): string {
  const { rows, says } = matrixOf(results);
  const runs = results.map((result, index) => `${letterOf(index)}  ${excerpt(result.target)}\n   ${headline(result)}\n`).join('');
  if (rows.length === 0) return `${runs}\n${says}.\n`;
  const head = ['', ...results.map((_, index) => letterOf(index))];
  const lines = [head, ...rows.map(({ name, cells }) => [name, ...cells.map((cell) => excerpt(inCell(cell) || '–', widest))])];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)) + 2);
  const table = lines.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('')}`.trimEnd());
  return `${runs}\n${says}, and only what differs is shown here:\n\n${table.join('\n')}\n`;
}
