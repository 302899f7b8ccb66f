import type { RuleName } from '../../openapi/generated/rules.ts';
import { levelOf } from './contract.ts';
import { hints, neverSucceeded } from './endpoints.ts';
import {
  type Cleanup,
  type CompareResult,
  count,
  type Difference,
  type FuzzResult,
  type ProxyFinding,
  type ProxyResult,
  type Result,
  type RuleResult,
  type RunResult,
} from './result.ts';
import { formatCount } from './text.ts';
import type { Reason, Verdict } from './verdict.ts';

/** `word` is the first word of the line with the outcome. */
export const exitCodes = {
  0: { word: 'PASS', means: 'nothing is violated' },
  1: { word: 'FAIL', means: 'a rule is violated, or the baseline is stale' },
  2: { word: 'USAGE', means: 'wrong input, or not confirmed: nothing was sent' },
  3: { word: 'UNREACHABLE', means: 'the target does not respond, is not the service, or refuses the key' },
  4: { word: 'INCOMPLETE', means: 'something could not be tested' },
  5: { word: 'LEFT BEHIND', means: 'a card or webhook of a run may still exist' },
  6: { word: 'DEFECT', means: 'a defect of the suite, or an unwritten report' },
  130: { word: 'INTERRUPTED', means: 'interrupted' },
} as const;

export type ExitCode = keyof typeof exitCodes;

interface Ending {
  readonly code: ExitCode;
  /** The outcome in one sentence, without a period. For a run, the report shows the counts of its rules instead. */
  readonly title: string;
  /** Reasons for the exit code. For code 0: facts that the user may overlook, such as failed robustness expectations. */
  readonly because: readonly string[];
}

const end = (code: ExitCode, title: string, ...because: string[]): Ending => ({ code, title, because });

/** Returns a list with one text, such as "3 rules violated". For zero, returns an empty list. */
const counted = (number: number, noun: string, rest: string): string[] =>
  number > 0 ? [`${formatCount(number, noun)} ${rest}`] : [];

/** Returns the exit code of a command with its reasons. Code 5 takes precedence over all others, then 6, then 130. */
export function ending(result: Result): Ending {
  switch (result.kind) {
    case 'run':
      return endingOfRun(result);
    case 'compare':
      return endingOfComparison(result);
    case 'fuzz':
      return endingOfCleanup(result) ?? endingOfFuzz(result);
    case 'proxy':
      return endingOfProxy(result);
  }
}

export const exitCode = (result: Result): ExitCode => ending(result).code;

/** Returns what may still exist on the target: "2 cards", "1 webhook", "records of earlier runs". */
export function leftovers({ cards, recordsLeft, leftBefore, leaveCards = 0 }: Cleanup): string[] {
  return [
    ...(cards.left.length > leaveCards ? [formatCount(cards.left.length, 'card')] : []),
    ...(recordsLeft.length > 0 ? [formatCount(recordsLeft.length, 'webhook')] : []),
    ...(leftBefore.length > 0 ? ['records of earlier runs'] : []),
  ];
}

function endingOfCleanup(result: Cleanup): Ending | undefined {
  const left = leftovers(result);
  if (left.length > 0)
    return end(5, 'Something may be left behind', `the suite could not prove that it removed ${left.join(', ')}`);
  if (result.cleanupFault !== undefined) return end(6, 'Cleanup failed', 'cleanup failed; run sweep to check what is left');
  return undefined;
}

export const failsRun = ({ verdict, level }: Pick<RuleResult, 'verdict' | 'level'>, { failOn }: Pick<RunResult, 'failOn'>) =>
  verdict === 'fail' && (level !== 'robustness' || failOn === 'robustness');

function endingOfRun(result: RunResult): Ending {
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

/** Reports whether a difference fails the command. In stated rules, every difference does. In questions, only a violation on one side does. */
export const isImportant = ({ level, kind }: Pick<Difference, 'level' | 'kind'>): boolean =>
  level === 'stated' || (kind === 'violated' && level !== 'robustness');

function endingOfComparison({ a, b, differences, uncompared, compared, alike }: CompareResult): Ending {
  const exits = [...a.exits, ...b.exits];
  if (exits.includes(5)) return end(5, 'Something may be left behind', 'see LEFT BEHIND');
  if (exits.includes(6)) return end(6, 'The suite itself failed', 'a run ended with exit code 6');
  if (exits.includes(3)) return end(3, 'A target stopped responding', 'some rules were not run, so they were not compared');
  if (exits.includes(130)) return end(130, 'Interrupted', 'some rules were not run, so they were not compared');
  const important = differences.filter(isImportant).length;
  if (important > 0) {
    const rules = formatCount(important, 'rule');
    return end(1, `A and B differ in ${rules}`, `${rules} with another outcome`);
  }
  if (compared === 0) return end(4, 'Nothing was compared', 'no rule has a verdict on both sides');
  const missing = uncompared.filter(({ incomplete }) => incomplete).length;
  if (missing > 0)
    return end(4, 'Incomplete: some rules could not be compared', `${formatCount(missing, 'rule')} untested on one side`);
  const others = differences.length > 0 ? `, ${formatCount(differences.length, 'other rule')} different` : '';
  return end(0, `No stated rule differs between A and B: ${formatCount(alike, 'rule')} alike${others}`);
}

const codesOfEarlyEnd = { unreachable: 3, 'not-sent': 4, defect: 6, interrupted: 130 } as const;

function endingOfFuzz({ failures, endedEarly, cases }: FuzzResult): Ending {
  const sent = formatCount(cases, 'case');
  if (failures.length > 0)
    return end(1, `${formatCount(failures.length, 'failure')} after ${sent}`, 'at least one response violates the specification');
  if (endedEarly) return end(codesOfEarlyEnd[endedEarly.because], `Ended early after ${sent}`, endedEarly.detail);
  if (cases === 0) return end(4, 'No case was sent', 'use --path only with the --seed that was printed with it');
  return end(0, `Nothing is violated in ${sent}`);
}

/** Reports whether a finding fails the command. A violated expectation does not, because the specification does not state it. */
export const isViolation = ({ kind, rule }: Pick<ProxyFinding, 'kind'> & { rule?: RuleName | undefined }): boolean =>
  kind === 'violated' && rule !== undefined && levelOf(rule) !== 'robustness';

function endingOfProxy({ findings, held, requests, lost, notService, faults }: ProxyResult): Ending {
  const exchanges = (number: number) => formatCount(number, 'exchange');
  if (faults > 0)
    return end(6, 'The proxy itself failed', `${exchanges(faults)} could not be checked because of a defect of the proxy`);
  const violated = new Set(findings.filter(isViolation).map(({ rule }) => rule)).size;
  if (violated > 0) return end(1, `${formatCount(violated, 'rule')} violated`, 'see VIOLATED');
  if (requests > 0 && lost === requests) return end(3, 'The target never responded', `${exchanges(requests)} without a response`);
  const stated = held.filter(({ rule }) => levelOf(rule) === 'stated').length;
  if (stated > 0) return end(0, `Nothing is violated: ${formatCount(stated, 'stated rule')} held`);
  const because = `no exchange shows a stated rule; the path does not start with /api/ in ${notService} of ${exchanges(requests)}`;
  return end(4, 'No stated rule was tested', because);
}
