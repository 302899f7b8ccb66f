import { levels } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import { escaped } from '../report/escape.ts';
import { filterBar, shell } from '../report/html/shell.ts';
import { type Row, rowsOf } from './columns.ts';
import {
  type Comparison,
  type Difference,
  exitOf,
  type Found,
  isGrave,
  type Side,
  type Step,
  type Uncompared,
  type Unexplained,
  type Unsteady,
} from './comparison.ts';
import { leftTold, placeTold, remarksOn } from './remarks.ts';
import { alikeTold, outcome, summary } from './summary.ts';

/** One page that needs nothing else: every difference with both exchanges side by side, what differs marked. */
export function comparisonPage(comparison: Comparison): string {
  const { suite, differences, unexplained, uncompared, unsteady } = comparison;
  const counts = levels.map((level) => [level, differences.filter((each) => each.level === level).length] as const);
  const more = [
    ['unexplained', unexplained.length],
    ['uncompared', uncompared.length],
    ['unsteady', unsteady.length],
  ] as const;
  return shell({
    title: outcome(comparison),
    header: header(comparison),
    bar: filterBar(
      [...counts, ...more].flatMap(([word, number]) => (number > 0 ? [[word, `${named[word] ?? word} ${number}`] as const] : [])),
    ),
    main: [
      ...levels.map((level) =>
        section(headings[level] ?? level, differences.filter((each) => each.level === level).map(differenceDetails)),
      ),
      section('What no clause explains', unexplained.map(unexplainedDetails)),
      section('Could not be compared: one side alone was judged', uncompared.map(uncomparedDetails)),
      section('Unsteady on A: found otherwise the second time, and no difference', unsteady.map(unsteadyDetails)),
    ].join(''),
    footer: `Written by ${suite}. All of it stands in this one file; comparison.json has it for machines.`,
    style,
  });
}

const headings: Readonly<Record<string, string>> = {
  stated: 'What the specification states',
  ambiguous: 'What it can be read to say in few ways',
  open: 'What it leaves open',
  robustness: 'Robustness, which is our own expectation',
};
const named: Readonly<Record<string, string>> = { uncompared: 'not compared', unsteady: 'unsteady on A' };

const section = (heading: string, details: readonly string[]): string =>
  details.length === 0
    ? ''
    : `<section><h2>${escaped(heading)}<small>${details.length}</small></h2>\n${details.join('')}</section>\n`;

function header(comparison: Comparison): string {
  const { a, b, again, startedAt, finishedAt } = comparison;
  const [, ...lines] = summary(comparison);
  const first = alikeTold(comparison);
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000;
  const sides = [['A', a] as const, ['B', b] as const].map(sideRow).join('');
  const left = leftTold(comparison);
  return `<p class="eyebrow">Gift card service, one plan on two targets</p>
<h1 class="${exitOf(comparison) === 0 ? 'good' : 'bad'}">${escaped(outcome(comparison))}</h1>
${[first, ...lines].map((line) => `<p class="headline">${escaped(line)}</p>`).join('\n')}
${left.length === 0 ? '' : `<p class="alarm">Left behind: ${left.map(escaped).join('<br>')}</p>`}
<div class="runs"><table><thead><tr><th scope="col"></th><th scope="col">Target</th><th scope="col">Mode</th><th scope="col">Runs</th></tr></thead><tbody>${sides}</tbody></table></div>
<details class="setup"><summary>How it was compared</summary><dl><dt>Started</dt><dd>${escaped(startedAt)}, took ${seconds.toFixed(1)} s</dd>
<dt>Again</dt><dd><code>${escaped(again)}</code></dd></dl></details>
`;
}

const sideRow = ([letter, { target, mode, runs }]: readonly [string, Side]): string =>
  `<tr><th scope="row">${letter}</th><td>${escaped(target)}</td><td>${mode}</td><td>${runs}</td></tr>`;

interface Folded {
  readonly id?: string;
  readonly word: string;
  readonly cells: string;
  readonly name: string;
  readonly text: string;
  readonly right: string;
  readonly inner: string;
  readonly open?: boolean;
}

function folded({ id, word, cells, name, text, right, inner, open }: Folded): string {
  const words = escaped(`${name} ${text}`.toLowerCase());
  return `<details class="clause"${id === undefined ? '' : ` id="${escaped(id)}"`} data-verdicts="${word}" data-words="${words}"${open ? ' open' : ''}>
<summary><span class="cells">${cells}</span><span class="what"><span class="name">${escaped(name)}</span><p>${escaped(text)}</p></span><span class="level">${escaped(right)}</span></summary>
<div class="run">${inner}</div></details>
`;
}

function badge(letter: string, found: Found): string {
  const told = found.told ?? found.verdict;
  const short = told.length > 24 ? `${told.slice(0, 23)}…` : told;
  return `<span class="badge ${escaped(found.verdict.split(':', 1)[0] ?? '')}">${letter} ${escaped(short)}</span>`;
}

function differenceDetails(difference: Difference): string {
  const { name, level, from, text, a, b, step } = difference;
  return folded({
    id: name,
    word: level,
    cells: badge('A', a) + badge('B', b),
    name,
    text,
    right: from.join('; '),
    inner: `<dl>${foundRows('A', a)}${foundRows('B', b)}</dl>${step ? stepTable(step) : ''}${remarksOn(difference)
      .map((each) => `<p class="remark">${escaped(each)}</p>`)
      .join('')}`,
    open: isGrave(difference),
  });
}

function foundRows(letter: string, { verdict, told, expected, got, detail }: Found): string {
  const rows: [string, string | undefined][] = [
    [letter, told === undefined ? verdict : `${verdict}: ${told}`],
    ['Expected', expected],
    ['Got', got],
    ['Detail', detail],
  ];
  return rows.map(([label, text]) => (text === undefined ? '' : `<dt>${label}</dt><dd>${escaped(text)}</dd>`)).join('');
}

function unexplainedDetails(thing: Unexplained): string {
  const { a, b, exchanges, seen } = thing;
  return folded({
    word: 'unexplained',
    cells: '',
    name: placeTold(thing),
    text: `${a} on A, ${b} on B`,
    right: `${counted(exchanges, 'exchange')}`,
    inner: `<p class="remark">As in ${escaped(seen.clause)}:</p>${stepTable(seen.step)}`,
  });
}

const uncomparedDetails = ({ name, level, a, b }: Uncompared): string =>
  folded({
    word: 'uncompared',
    cells: badge('A', a) + badge('B', b),
    name,
    text: [a.detail, b.detail].filter(Boolean).join(' '),
    right: level,
    inner: `<dl>${foundRows('A', a)}${foundRows('B', b)}</dl>`,
  });

const unsteadyDetails = ({ name, level, first, second }: Unsteady): string =>
  folded({
    word: 'unsteady',
    cells: badge('1st', first) + badge('2nd', second),
    name,
    text: '',
    right: level,
    inner: `<dl>${foundRows('First', first)}${foundRows('Second', second)}</dl>`,
  });

function stepTable(step: Step): string {
  return `<div class="sides"><table><caption>Step ${step.number}</caption><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>${rowsOf(step).map(row).join('')}</tbody></table></div>`;
}

function row({ a, b, differs, heading }: Row): string {
  const cell = (text: string | undefined) => {
    const inner = escaped(text ?? '');
    return `<td>${differs && text !== undefined ? `<mark>${inner}</mark>` : inner}</td>`;
  };
  return `<tr${heading === undefined ? '' : ' class="part"'}>${cell(a)}${cell(b)}</tr>`;
}

const style = `
.sides { overflow-x: auto; margin-top: .8rem; } .sides table { table-layout: fixed; }
.sides caption { text-align: left; color: var(--soft); font-size: .87rem; font-weight: 600; padding-bottom: .3rem; }
.sides td { font: .82em/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; border-width: 0 1px; padding: 0 .7rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.sides tbody tr:last-child td { border-bottom-width: 1px; padding-bottom: .3rem; }
.sides .part td { border-top-width: 1px; padding-top: .3rem; font-weight: 600; }
mark { background: var(--known-fail-on); color: var(--known-fail); font-weight: 600; }
.level { flex: 0 1 20rem; text-align: right; }
header .headline { margin-bottom: .4rem; }
.remark { margin: .7rem 0 0; color: var(--soft); }
`;
