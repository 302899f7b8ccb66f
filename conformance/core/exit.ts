import { exitOf } from '../proxy/watched.ts';
import { counted } from './counted.ts';
import { neverAnswered } from './endpoints.ts';
import { waysOut } from './hints.ts';
import { type ClauseResult, count, type RunResult } from './result.ts';
import type { Reason, Verdict } from './verdict.ts';

/**
 * 5 cards or webhooks are left · 6 cleaning up broke · 130 interrupted · 6 the suite itself broke · 1 a clause is violated, or one of the baseline holds · 4 nothing or not everything could be judged · 0.
 * What the target does not offer (a fixture, a second key) is no reason to fail; what did not work out is.
 */
export function exitCode(result: RunResult): number {
  if (result.watched) return exitOf(result.watched, result.requests);
  if (result.cards.left.length + result.recordsLeft.length + (result.leftBefore?.length ?? 0) > 0) return 5;
  if (result.cleanupFault !== undefined) return 6;
  if (result.interrupted) return 130;
  if (result.clauses.some(({ fault }) => fault === 'suite')) return 6;
  // What is only our expectation (robustness) is shown and fails nobody.
  if (result.clauses.some(({ verdict, level }) => verdict === 'fail' && level !== 'robustness')) return 1;
  if (result.staleBaseline.length > 0) return 1;
  return result.clauses.some(wentWrong) ||
    result.heldBack > 0 ||
    neverAnswered(result).some(({ broken, unjudged }) => broken || unjudged.length > 0) ||
    judged.every((verdict) => count(result, verdict) === 0)
    ? 4
    : 0;
}

/** Whether it should have been possible to judge the clause, and was not: no matter of what the target offers. */
export const wentWrong = ({ verdict, reason }: Pick<ClauseResult, 'verdict' | 'reason'>): boolean =>
  verdict === 'blocked' || verdict === 'error' || (verdict === 'untested' && reason !== undefined && mustNotStand.has(reason));

/** Why the exit code of a run is 4: what could not be judged, as clauses of a sentence. */
export function unjudgedTold(result: RunResult): string[] {
  const clauses = (number: number) => counted(number, 'clause');
  const [blocked, error] = [count(result, 'blocked'), count(result, 'error')];
  const reasons = [...mustNotStand].flatMap((reason): string[] => {
    const number = result.clauses.filter((clause) => clause.verdict === 'untested' && clause.reason === reason).length;
    return number > 0 ? [`${clauses(number)} untested (${reason})`] : [];
  });
  const never = neverAnswered(result);
  return [
    ...(blocked > 0 ? [`${clauses(blocked)} blocked`] : []),
    ...(error > 0 ? [`${clauses(error)} without an answer`] : []),
    ...reasons,
    ...never.filter((each) => each.broken).map(({ named, statuses }) => `${named} answered nothing but ${statuses.join(', ')}`),
    ...never
      .filter((each) => !each.broken && each.unjudged.length > 0)
      .map(({ named, statuses, unjudged }) => {
        const wayOut = waysOut[named];
        const told = `${named} was never answered with success (${statuses.join(', ')}), which left ${clauses(unjudged.length)} unjudged`;
        return wayOut === undefined ? told : `${told}: ${wayOut}`;
      }),
    ...(result.heldBack > 0
      ? [`${counted(result.heldBack, 'request')} held back by the budget (--max-creates, --max-requests, --max-face-value)`]
      : []),
    ...(judged.every((verdict) => count(result, verdict) === 0)
      ? ['nothing was judged, for the reasons that stand with the clauses']
      : []),
  ];
}

/** What an exit code of 0 hides: expectations that failed, and stated clauses that could not be looked at for what the target does not show. */
export function hiddenTold({ clauses }: Pick<RunResult, 'clauses'>): string[] {
  const expectations = clauses.filter(({ verdict }) => verdict === 'fail').length;
  const unseen = clauses.filter(
    ({ level, verdict, reason }) => level === 'stated' && verdict === 'untested' && reason === 'fact-missing',
  ).length;
  const parts = [
    ...(expectations > 0 ? [`${counted(expectations, 'expectation')} of ours failed (robustness), which fails no run`] : []),
    ...(unseen > 0 ? [`${counted(unseen, 'stated clause')} untested (fact-missing), for what the target does not show`] : []),
  ];
  return parts.length === 0 ? [] : [`Exit code 0, but ${parts.join('; ')}.`];
}

const judged: readonly Verdict[] = ['pass', 'observed', 'known-fail', 'fail'];
const mustNotStand = new Set<Reason>(['control-failed', 'all-answers-alike', 'rate-limited']);
