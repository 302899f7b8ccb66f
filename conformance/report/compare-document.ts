import { levels, type ShownLevel } from '../core/contract.ts';
import { isImportant } from '../core/exit.ts';
import type { CompareResult, Difference, Outcome, Side, Uncompared, Unsteady } from '../core/result.ts';
import { formatCount } from '../core/text.ts';
import { aboutClause, type Content, type Group, type Item, itemOf, leftNotices, type Row } from './document.ts';

export function compareDocument(result: CompareResult): Content {
  const { a, b, differences, uncompared, unsteady, compared, alike, steadinessUnknown, again } = result;
  const byLevel = levels.flatMap((level) => {
    const number = differences.filter((each) => each.level === level).length;
    return number > 0 ? [`${number} ${level}`] : [];
  });
  const steadiness =
    steadinessUnknown === undefined ? `${unsteady.length} unsteady on A` : `steadiness unknown: ${steadinessUnknown}`;
  return {
    summary: [
      sideLine('A', a),
      sideLine('B', b),
      `${alike} of ${formatCount(compared, 'clause')} alike · differences: ${byLevel.join(', ') || 'none'} · ${formatCount(uncompared.length, 'clause')} not compared · ${steadiness}`,
    ],
    notices: leftNotices([...a.leftBehind.map((text) => `A: ${text}`), ...b.leftBehind.map((text) => `B: ${text}`)]),
    groups: [
      ...levels.map(
        (level): Group => ({
          heading: headings[level],
          items: differences.filter((each) => each.level === level).map(differenceItem),
        }),
      ),
      { heading: 'Not compared: a verdict on one side only', items: uncompared.map(uncomparedItem) },
      { heading: 'Unsteady: different outcomes in two runs on A', items: unsteady.map(unsteadyItem) },
    ].filter(({ items }) => items.length > 0),
    setup: [
      ['A', a.target],
      ['B', b.target],
      ['Again', again],
    ],
    hasDoubts: differences.length > 0,
  };
}

const headings: Readonly<Record<ShownLevel, string>> = {
  stated: 'Differences in what is stated',
  ambiguous: 'Differences in what is ambiguous',
  robustness: 'Differences in robustness',
  open: 'Differences in what is open',
};

const sideLine = (letter: string, { target, file, mode, spent, runs }: Side): string =>
  file === undefined
    ? `${letter}  ${target} (${mode}, ${formatCount(runs, 'run')}, ${formatCount(spent.requests, 'request')}, ${formatCount(spent.creates, 'card')})`
    : `${letter}  ${target} (${file})`;

function differenceItem(difference: Difference): Item {
  const { name, level, from, text, kind, a, b, step } = difference;
  const isFailure = isImportant(difference);
  return itemOf({
    name,
    status: kind === 'observation' ? 'observed' : 'fail',
    outcome: isFailure ? 'failure' : 'skipped',
    display: 'full',
    about: aboutClause(level, from),
    text,
    cause: `${name}: ${short(a)} on A, ${short(b)} on B`,
    details: [
      ...outcomeRows('A', a),
      ...outcomeRows('B', b),
      ...(step?.differs ?? []).map((what): Row => [`Step ${step?.number}`, what]),
    ],
    exchanges: step ? [step.a, step.b].filter((exchange) => exchange !== undefined) : [],
  });
}

const uncomparedItem = ({ name, level, a, b, incomplete }: Uncompared): Item =>
  itemOf({
    id: `uncompared-${name}`,
    name,
    status: 'untested',
    outcome: incomplete ? 'error' : 'skipped',
    display: incomplete ? 'cause' : 'verbose',
    about: level,
    cause: `${short(a)} on A, ${short(b)} on B`,
    details: [...outcomeRows('A', a), ...outcomeRows('B', b)],
  });

const unsteadyItem = ({ name, level, first, second }: Unsteady): Item =>
  itemOf({
    id: `unsteady-${name}`,
    name,
    status: 'blocked',
    outcome: 'skipped',
    display: 'cause',
    about: level,
    cause: `${short(first)}, then ${short(second)}`,
    details: [...outcomeRows('First', first), ...outcomeRows('Second', second)],
  });

const short = ({ verdict, observation }: Outcome): string =>
  observation === undefined ? verdict : `${verdict} (${observation})`;

function outcomeRows(label: string, outcome: Outcome): Row[] {
  const { expected, got, detail } = outcome;
  const more = [expected && `expected ${expected}`, got && `got ${got}`, detail].filter(Boolean);
  return [[label, [short(outcome), more.join('; ')].filter(Boolean).join(': ')]];
}
