import {
  type Compared,
  type ComparedOutcome,
  type CompareResult,
  type DecidingStep,
  type Difference,
  isImportant,
  type Side,
  type Uncompared,
} from '../compare/result.ts';
import { levels } from '../core/contract.ts';
import { describeResponse } from '../core/expect.ts';
import { excerpt, formatCount } from '../core/text.ts';
import { type Exchange, isDelivery } from '../http/exchange.ts';
import { aboutRule, type Content, itemOf, leftNotices, type ReportItem, type ReportRow } from './document.ts';

export function compareDocument(result: CompareResult): Content {
  const { a, b, differences, uncompared, unsteady, compared, alike, steadinessUnknown, again } = result;
  const byLevel = levels
    .map((level) => ({ level, own: differences.filter((each) => each.level === level) }))
    .filter(({ own }) => own.length > 0);
  const numbers = byLevel.map(({ level, own }) => `${own.length} ${level}`).join(', ') || 'none';
  const steadiness =
    steadinessUnknown === undefined ? `${unsteady.length} unsteady on A` : `steadiness unknown: ${steadinessUnknown}`;
  return {
    heading: `giftcard conformance compare · A ${a.target} · B ${b.target}`,
    target: a.target,
    summary: [
      sideLine('A', a),
      sideLine('B', b),
      `${alike} of ${formatCount(compared, 'rule')} alike · differences: ${numbers} · ${formatCount(uncompared.length, 'rule')} not compared · ${steadiness}`,
    ],
    notices: leftNotices([...a.leftBehind.map((text) => `A: ${text}`), ...b.leftBehind.map((text) => `B: ${text}`)]),
    groups: [
      ...byLevel.map(({ level, own }) => ({
        heading: `Differences, ${level}`,
        items: own.map((each) => differenceItem(each, result)),
      })),
      { heading: 'Not compared: only one side has a verdict', items: uncompared.map(uncomparedItem) },
      {
        heading: 'Unsteady: different outcomes in two runs on A',
        items: unsteady.map((each) => outcomesItem('unsteady', each, ['First', 'Second'])),
      },
    ].filter(({ items }) => items.length > 0),
    setup: [
      ['A', a.target],
      ['B', b.target],
      ['Again', again],
    ],
  };
}

function sideLine(letter: string, { target, file, mode, spent, cards, runs }: Side): string {
  const cost = [mode, formatCount(runs, 'run'), formatCount(spent.requests, 'request'), formatCount(cards, 'card')];
  return `${letter}  ${target} (${file ?? cost.join(', ')})`;
}

/** Maximum numbers of differences and of characters in a row. With these, an item fits on a screen. */
const [mostDifferences, longestRow] = [4, 240];

/** Returns the item of a difference. If the same responses decided several rules, their items have the same cause, and the report groups them. */
function differenceItem(difference: Difference, sides: Pick<CompareResult, 'a' | 'b'>): ReportItem {
  const { name, level, from, text, kind, a, b, step } = difference;
  return itemOf({
    name,
    status: kind === 'observation' ? 'observed' : 'fail',
    outcome: isImportant(difference) ? 'failure' : 'skipped',
    display: 'full',
    about: aboutRule(level, from),
    text,
    cause: step ? excerpt(causeOf(step), longestRow) : `${name}: ${short(a)} on A, ${short(b)} on B`,
    details: [outcomeRow('A', a), outcomeRow('B', b), ...(step ? stepRows(step) : [])].map(([label, row]) => [
      label,
      excerpt(row, longestRow),
    ]),
    exchanges: (['a', 'b'] as const).flatMap((side) => (step?.[side] ? [{ elsewhere: sides[side].target, ...step[side] }] : [])),
  });
}

const causeOf = ({ what, differs, a }: DecidingStep): string =>
  `${a && !isDelivery(a) ? `${a.method} ${a.path}` : what}: ${differs.join('; ')}`;

function stepRows({ what, differs, a, b }: DecidingStep): ReportRow[] {
  const more = differs.length - mostDifferences;
  const isResponse = a && b && !isDelivery(a);
  const textOf = (each: Exchange | undefined) =>
    isResponse && each ? describeResponse({ exchange: each }) : (each?.requestBody ?? 'none');
  return [
    ['Decided by', isResponse ? `step ${a.n} on A, step ${b.n} on B: ${what}` : `delivery: ${what}`],
    ...(isResponse ? [['Request', `${a.method} ${a.path} ${a.requestBody ?? ''}`] as const] : []),
    [`${isResponse ? 'Response' : 'Delivery'} of A`, textOf(a)],
    [`${isResponse ? 'Response' : 'Delivery'} of B`, textOf(b)],
    ...[...differs.slice(0, mostDifferences), ...(more > 0 ? [formatCount(more, 'more place')] : [])].map(
      (text): ReportRow => ['Differs', text],
    ),
  ];
}

const uncomparedItem = ({ incomplete, ...rule }: Uncompared): ReportItem => ({
  ...outcomesItem('uncompared', rule, ['A', 'B']),
  status: 'untested',
  outcome: incomplete ? 'error' : 'skipped',
  display: incomplete ? 'cause' : 'verbose',
});

const outcomesItem = (kind: string, { name, level, a, b }: Compared, [first, second]: readonly [string, string]): ReportItem =>
  itemOf({
    id: `${kind}-${name}`,
    name,
    status: 'blocked',
    outcome: 'skipped',
    display: 'cause',
    about: [level],
    cause: `${first}: ${short(a)}; ${second}: ${short(b)}`,
    details: [outcomeRow(first, a), outcomeRow(second, b)],
  });

const short = ({ verdict, observation }: ComparedOutcome): string =>
  observation === undefined ? verdict : `${verdict} (${observation})`;

function outcomeRow(label: string, outcome: ComparedOutcome): ReportRow {
  const { expected, got, detail } = outcome;
  const more = [expected && `expected ${expected}`, got && `got ${got}`, detail].filter(Boolean);
  return [label, [short(outcome), ...more].join('; ')];
}
