import { excerpt } from '../http/excerpt.ts';
import { rowsOf, shortened } from './columns.ts';
import {
  type Comparison,
  type Difference,
  type Found,
  isGrave,
  type Step,
  type Unexplained,
  type Unsteady,
} from './comparison.ts';
import { leftTold, remarksOn, unexplainedTold } from './remarks.ts';
import { brokenOffTold, summary } from './summary.ts';

/** A comparison as people read it in a terminal: the worst differences first, each with both exchanges, and what they come to at the end. */
export function comparisonText(comparison: Comparison): string {
  const { a, b, differences, unexplained, unsteady, uncompared } = comparison;
  const parts = [
    ...brokenOffTold(comparison).map((sentence) => `${sentence}\n`),
    `A  ${a.target}\nB  ${b.target}\n`,
    ...differences.map(differenceText),
    unexplainedText(unexplained),
    listed(
      'COULD NOT BE COMPARED  One side alone was judged by these:',
      uncompared.map(({ name, a: one, b: other }) => [name, `A ${briefly(one)}`, `B ${briefly(other)}`]),
    ),
    listed(
      'UNSTEADY ON A  The same plan, run twice there, found these otherwise the second time; they are no differences:',
      unsteady.map(unsteadyLine),
    ),
    ...leftTold(comparison).map((each) => `LEFT BEHIND  ${each}\n`),
    `${summary(comparison).join('\n')}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function differenceText(difference: Difference): string {
  const { name, level, from, text, kind, a, b, step } = difference;
  const label = isGrave(difference) ? (kind === 'violated' ? 'VIOLATED' : 'DIFFERS') : 'DIFFERS';
  return [
    `${`${label}  ${name}`.padEnd(70)}${level} · ${from.join('; ')}`,
    `  ${text}`,
    '',
    ...foundLines('A', a),
    ...foundLines('B', b),
    ...(step ? ['', ...stepLines(step)] : []),
    ...remarksOn(difference).map((remark) => `  ${remark}`),
    '',
  ].join('\n');
}

function foundLines(side: string, found: Found): string[] {
  const words = [`  ${side}  ${found.told === undefined ? found.verdict : `${found.verdict}: ${excerpt(found.told, 300)}`}`];
  if (found.expected !== undefined) words.push(`       expected  ${excerpt(found.expected, 500)}`);
  if (found.got !== undefined) words.push(`       got       ${excerpt(found.got, 500)}`);
  return words;
}

/** Letters of a column. */
const wide = 58;

function stepLines(step: Step): string[] {
  const rows = shortened(rowsOf(step)).flatMap((row) => {
    if (typeof row === 'number') return [`  ${`… ${row} more`.padEnd(wide)} │`];
    const [a, b] = [wrapped(row.a ?? ''), wrapped(row.b ?? '')];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => {
      const mark = row.differs ? (row.b === undefined ? '<' : row.a === undefined ? '>' : '≠') : '│';
      return `  ${(a[index] ?? '').padEnd(wide)} ${mark} ${b[index] ?? ''}`.trimEnd();
    });
  });
  return [`  They part at step ${step.number}:`, `  ${'A'.padEnd(wide)} │ B`, ...rows];
}

/** Lines of a cell. */
const high = 8;

function wrapped(line: string): string[] {
  const text = excerpt(line, wide * high);
  const indent = /^ {0,24}/.exec(text)?.[0] ?? '';
  const lines = [text.slice(0, wide)];
  for (let rest = text.slice(wide); rest !== ''; ) {
    lines.push(`${indent}  ${rest.slice(0, wide - indent.length - 2)}`);
    rest = rest.slice(wide - indent.length - 2);
  }
  return lines;
}

function unexplainedText(unexplained: readonly Unexplained[]): string {
  if (unexplained.length === 0) return '';
  const lines = unexplained.map((thing) => `    ${unexplainedTold(thing)}\n`);
  return `UNEXPLAINED  Clauses came out alike, and the answers under them still differ:\n${lines.join('')}`;
}

const briefly = ({ verdict, told, detail }: Found): string => excerpt([verdict, told, detail].filter(Boolean).join(': '), 200);

const unsteadyLine = ({ name, first, second }: Unsteady): string[] => {
  const more = ({ got }: Found) => (first.verdict === second.verdict && got !== undefined ? `: ${excerpt(got, 120)}` : '');
  return [name, `${briefly(first)}${more(first)}`, `${briefly(second)}${more(second)}`];
};

function listed(heading: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([name, one, other]) => `    ${name}\n        ${one}\n        ${other}\n`);
  return `${heading}\n${lines.join('')}`;
}
