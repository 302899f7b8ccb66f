import type { Reason } from '../safety/policy.ts';
import { hints, neverSucceeded } from './endpoints.ts';
import { type Ending, end, endingOfCleanup } from './exit.ts';
import { count, type RuleResult, type RunResult } from './result.ts';
import { formatCount } from './text.ts';
import type { Verdict } from './verdict.ts';

export const failsRun = ({ verdict, level }: Pick<RuleResult, 'verdict' | 'level'>, { failOn }: Pick<RunResult, 'failOn'>) =>
  verdict === 'fail' && (level !== 'robustness' || failOn === 'robustness');

export function endingOfRun(result: RunResult): Ending {
  const { rules, interrupted, staleBaseline, noBaseline } = result;
  const lostRequests = rules.filter(({ fault }) => fault === 'transport').length;
  const silent = counted(lostRequests, 'rule', 'without a response from the target');
  const lost = interrupted?.since === undefined ? [] : [`the target has not responded since ${interrupted.since}`];
  const unwritten = noBaseline ? [noBaseline.because] : [];
  const cleanup = endingOfCleanup(result);
  const leftOut = rules.filter(({ reason }) => reason === 'cannot-void');
  const stopped = counted(leftOut.length, 'rule', `untested: ${leftOut[0]?.detail}`);
  if (cleanup) return end(cleanup.code, '', ...cleanup.because, ...stopped, ...unwritten, ...lost, ...silent);
  if (interrupted) {
    const { after, of } = interrupted;
    const ended = `interrupted after ${after} of ${formatCount(of, 'rule')}`;
    return end(lost.length > 0 ? 3 : 130, '', ...lost, ended, ...unwritten);
  }
  if (rules.some(({ fault }) => fault === 'suite')) return end(6, '', 'a defect of the suite; see the errors');
  if (noBaseline) return end(noBaseline.code, '', ...unwritten);
  const stale = counted(staleBaseline.length, 'line', 'of the baseline no longer needed; update it with --write-baseline FILE');
  const violated = rules.filter((rule) => failsRun(rule, result)).length;
  if (violated + stale.length > 0) return end(1, '', ...stale, ...silent);
  const missing = untestedBecause(result);
  return missing.length > 0 ? end(4, '', ...missing) : end(0, '', ...hiddenByGreen(result));
}

const tested: readonly Verdict[] = ['pass', 'observed', 'known-fail', 'fail'];
/** Reasons of tests that ran and gave no verdict. Any other reason means that the target or the mode does not offer what the test needs. */
const wrongReasons: readonly Reason[] = ['control-failed', 'late', 'all-responses-alike', 'rate-limited'];

export const wentWrong = ({ verdict, reason }: Pick<RuleResult, 'verdict' | 'reason'>): boolean =>
  verdict === 'blocked' ||
  verdict === 'error' ||
  (verdict === 'untested' && reason !== undefined && wrongReasons.includes(reason));

const budgetFlags = '--max-creates, --max-requests, --max-face-value';

/** Returns a list with one text, such as "3 rules violated". For zero, returns an empty list. */
const counted = (number: number, noun: string, rest: string): string[] =>
  number > 0 ? [`${formatCount(number, noun)} ${rest}`] : [];

function untestedBecause(result: RunResult): string[] {
  const untested = (reason: Reason) => result.rules.filter((rule) => rule.verdict === 'untested' && rule.reason === reason);
  const limit = untested('budget').find(({ name }) => result.heldBack.includes(name))?.detail ?? budgetFlags;
  return [
    ...counted(count(result, 'blocked'), 'rule', 'blocked'),
    ...counted(count(result, 'error'), 'rule', 'without a response'),
    ...wrongReasons.flatMap((reason) => counted(untested(reason).length, 'rule', `untested (${reason})`)),
    ...neverSucceeded(result).flatMap(({ operation, statuses, untested: names }) => {
      const hint = hints[operation] === undefined ? '' : `: ${hints[operation]}`;
      const says = `could not be tested, because ${operation} never succeeded (${statuses.join(', ')})${hint}`;
      return counted(names.length, 'rule', says);
    }),
    ...counted(result.heldBack.length, 'rule', `over the budget (${limit}): ${result.heldBack.join(', ')}`),
    ...(tested.every((verdict) => count(result, verdict) === 0) ? ['no rule was tested'] : []),
  ];
}

function hiddenByGreen({ rules, cards, leaveCards, withoutReason = [] }: RunResult): string[] {
  const failed = rules.filter(({ verdict }) => verdict === 'fail').length;
  const why = 'failed. The specification does not state them, so they fail the run only with --fail-on robustness';
  return [
    ...counted(failed, 'robustness expectation', why),
    ...counted(cards.left.length, 'card', `left, which --leave-cards ${leaveCards} allows`),
    ...counted(withoutReason.length, 'line', 'of the baseline without a reason (REASON WANTED)'),
  ];
}
