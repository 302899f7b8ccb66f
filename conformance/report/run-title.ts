import type { ClauseResult, RunResult } from '../core/result.ts';
import { formatCount, tally } from '../core/text.ts';
import type { Reason } from '../core/verdict.ts';
import { groupBy } from './causes.ts';
import { secondsOf } from './document.ts';

/** Both reasons mean that the profile lacks an entry. */
const shortReasons: Readonly<Partial<Record<Reason, string>>> = { 'fixture-missing': 'profile', 'no-second-key': 'profile' };

/** Returns the counts of a run in one line: "43 of 217 stated rules hold · 0 violated · 174 untested (budget 121, profile 53) · 24 s". */
export function titleOfRun(result: RunResult): string {
  const others = result.clauses.filter(({ level }) => level !== 'stated');
  const stated = result.clauses.filter(({ level }) => level === 'stated');
  const failures = others.filter(({ verdict }) => verdict === 'fail');
  const failed = groupBy(failures, ({ level }) => `${level} clause`);
  const violated = [...failed].map(([what, { length }]) => `${formatCount(length, what)} violated`);
  const verdicts = tally(others.map(({ verdict }) => verdict)) || 'none was run';
  const own = stated.length > 0 ? statedCounts(stated) : [`${formatCount(others.length, 'clause')}: ${verdicts}`];
  const since = result.interrupted?.since;
  const lost = since === undefined ? [] : [`the target gives no answer since ${since}`];
  return [...own, ...violated, ...lost, secondsOf(result)].join(' · ');
}

function statedCounts(clauses: readonly ClauseResult[]): string[] {
  const number = (wanted: string) => clauses.filter(({ verdict }) => verdict === wanted).length;
  const of = `of ${formatCount(clauses.length, 'stated rule')}`;
  const hold = number('pass') === 1 ? 'holds' : 'hold';
  const all = clauses.flatMap(({ verdict, reason }) => (verdict === 'untested' && reason ? [reason] : []));
  const untested = groupBy(all, (reason) => shortReasons[reason] ?? reason.split(':', 1)[0]);
  const reasons = [...untested].toSorted(([, one], [, other]) => other.length - one.length);
  const why = reasons.map(([reason, { length }]) => `${reason} ${length}`).join(', ');
  const counts = { known: number('known-fail'), blocked: number('blocked'), 'without a verdict': number('error') };
  return [
    ...(number('fail') > 0
      ? [`${number('fail')} ${of} violated`, `${number('pass')} ${hold}`]
      : [`${number('pass')} ${of} ${hold}`, '0 violated']),
    ...Object.entries({ ...counts, [`untested (${why})`]: number('untested') }).flatMap(([what, count]) =>
      count > 0 ? [`${count} ${what}`] : [],
    ),
  ];
}
