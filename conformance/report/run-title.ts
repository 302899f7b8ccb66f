import type { ShownLevel } from '../core/contract.ts';
import type { RunResult } from '../core/result.ts';
import { formatCount, tally } from '../core/text.ts';
import type { Reason } from '../core/verdict.ts';
import { groupBy } from './causes.ts';
import { secondsOf } from './document.ts';

/** Returns the counts of a run in one line: "43 of 217 stated rules hold · 0 violated · 174 untested (budget 121, profile 53) · 24 s". */
export function titleOfRun(result: RunResult): string {
  const stated = result.clauses.filter(({ level }) => level === 'stated');
  const own =
    stated.length > 0
      ? statedCounts(stated)
      : [
          `${formatCount(result.clauses.length, 'clause')}: ${tally(result.clauses.map(({ verdict }) => verdict)) || 'none was run'}`,
        ];
  return [...own, ...otherFailures(result), secondsOf(result)].join(' · ');
}

function statedCounts(clauses: RunResult['clauses']): string[] {
  const number = (wanted: string) => clauses.filter(({ verdict }) => verdict === wanted).length;
  const [held, violated] = [number('pass'), number('fail')];
  const of = `of ${formatCount(clauses.length, 'stated rule')}`;
  const holds = held === 1 ? 'holds' : 'hold';
  const reasons = clauses.flatMap(({ verdict, reason }) => (verdict === 'untested' && reason) || []);
  const others = [
    [number('known-fail'), 'known'],
    [number('blocked'), 'blocked'],
    [number('error'), 'without a verdict'],
    [number('untested'), `untested (${reasonCounts(reasons)})`],
  ] as const;
  return [
    ...(violated > 0 ? [`${violated} ${of} violated`, `${held} ${holds}`] : [`${held} ${of} ${holds}`, '0 violated']),
    ...others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
  ];
}

/** Reasons that are one to the reader, because an entry of the profile removes them. */
const shortReasons: Readonly<Partial<Record<Reason, string>>> = { 'fixture-missing': 'profile', 'no-second-key': 'profile' };

/** Returns the number of each reason, the most frequent first: "budget 121, profile 53". */
const reasonCounts = (reasons: readonly Reason[]): string =>
  [...groupBy(reasons, (reason) => shortReasons[reason] ?? reason.split(':', 1)[0])]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${reason} ${length}`)
    .join(', ');

/** The levels whose failures the counts of stated rules do not show. */
const otherLevels: readonly (readonly [ShownLevel, what: string, outcome: string])[] = [
  ['ambiguous', 'ambiguous rule', 'violated'],
  ['robustness', 'robustness expectation', 'failed'],
];

const otherFailures = (result: RunResult): string[] =>
  otherLevels.flatMap(([wanted, what, outcome]) => {
    const failed = result.clauses.filter((clause) => clause.level === wanted && clause.verdict === 'fail');
    return failed.length > 0 ? [`${formatCount(failed.length, what)} ${outcome}`] : [];
  });
