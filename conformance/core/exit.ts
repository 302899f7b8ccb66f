import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { levelOf } from './contract.ts';
import { hints, neverAnswered } from './endpoints.ts';
import {
  type ClauseResult,
  type Cleanup,
  type CompareResult,
  count,
  type Difference,
  type FuzzResult,
  type ProxyFinding,
  type ProxyResult,
  type Result,
  type RunResult,
} from './result.ts';
import { formatCount } from './text.ts';
import type { Reason, Verdict } from './verdict.ts';

/** The exit codes of every command, with what the help says about them. */
export const exitCodes = {
  0: 'nothing is violated',
  1: 'a clause is violated, or the baseline is stale',
  2: 'the command or a file cannot be used; nothing was sent',
  3: 'the target is unreachable, is not the service, or refuses the key',
  4: 'incomplete: something could not be tested',
  5: 'something that was created may still exist',
  6: 'a defect of the suite, or results could not be written',
  130: 'interrupted',
} as const;

export type ExitCode = keyof typeof exitCodes;

/** How a command ends. */
export interface Ending {
  readonly code: ExitCode;
  /** The outcome in one sentence, without a period. */
  readonly title: string;
  /** Why the code is what it is, or what code 0 does not say. */
  readonly because: readonly string[];
}

/** Code 5 wins over all others, then 6, then 130. */
export function ending(result: Result): Ending {
  switch (result.kind) {
    case 'run':
      return endingOfRun(result);
    case 'compare':
      return endingOfComparison(result);
    case 'fuzz':
      return endingOfFuzz(result);
    case 'proxy':
      return endingOfProxy(result);
  }
}

export const exitCode = (result: Result): ExitCode => ending(result).code;

/** What may still exist on the target: "2 cards", "1 webhook", "records of earlier runs". */
export function leftovers({ cards, recordsLeft, leftBefore = [] }: Cleanup): string[] {
  const kinds = [...new Set(recordsLeft.map(({ what }) => what))];
  return [
    ...(cards.left.length > 0 ? [formatCount(cards.left.length, 'card')] : []),
    ...kinds.map((kind) => formatCount(recordsLeft.filter(({ what }) => what === kind).length, kind)),
    ...(leftBefore.length > 0 ? ['records of earlier runs'] : []),
  ];
}

function endingOfCleanup(result: Cleanup): Ending | undefined {
  const left = leftovers(result);
  if (left.length > 0)
    return { code: 5, title: 'Something may be left behind', because: [`${left.join(', ')} could not be proven gone`] };
  if (result.cleanupFault !== undefined)
    return { code: 6, title: 'Cleanup failed', because: ['cleanup failed; run sweep to check what is left'] };
  return undefined;
}

function endingOfRun(result: RunResult): Ending {
  const { clauses, interrupted, staleBaseline } = result;
  const violated = clauses.filter(({ verdict, level }) => verdict === 'fail' && level !== 'robustness').length;
  const all = formatCount(clauses.length, 'clause');
  const cleanup = endingOfCleanup(result);
  if (cleanup) {
    const silent = clauses.filter(({ fault }) => fault === 'transport').length;
    const noAnswer = silent > 0 ? [`${formatCount(silent, 'clause')} without an answer from the target`] : [];
    return { ...cleanup, because: [...cleanup.because, ...noAnswer] };
  }
  if (interrupted) {
    const { after, of } = interrupted;
    const where = after < of ? `after ${after} of ${formatCount(of, 'clause')}` : 'during cleanup';
    return { code: 130, title: `Interrupted ${where}`, because: ['clauses that were not run have no verdict'] };
  }
  if (clauses.some(({ fault }) => fault === 'suite'))
    return { code: 6, title: 'The suite itself failed', because: ['a defect of the suite; see the errors'] };
  if (violated > 0 || staleBaseline.length > 0) {
    const stale = `${formatCount(staleBaseline.length, 'baseline entry', 'baseline entries')} stale: the clause passes now`;
    return {
      code: 1,
      title: violated > 0 ? `${formatCount(violated, 'clause')} of ${clauses.length} violated` : 'The baseline is stale',
      because: [
        ...(violated > 0 ? [`${formatCount(violated, 'clause')} violated`] : []),
        ...(staleBaseline.length > 0 ? [`${stale}. Update it with --baseline FILE --write-baseline FILE`] : []),
      ],
    };
  }
  const because = incomplete(result);
  if (because.length > 0) return { code: 4, title: 'Incomplete: some clauses could not be tested', because };
  const [tested, known] = [count(result, 'pass') + count(result, 'observed'), count(result, 'known-fail')];
  const title =
    known > 0
      ? `Nothing new is violated: ${known} known, ${tested} of ${all} pass or were observed`
      : `Nothing is violated: ${tested} of ${all} pass or were observed`;
  return { code: 0, title, because: hiddenByGreen(result) };
}

const tested: readonly Verdict[] = ['pass', 'observed', 'known-fail', 'fail'];
/** Reasons that mean that something went wrong. The others mean that the target or the mode does not offer what the clause needs. */
const wrongReasons: readonly Reason[] = ['control-failed', 'all-answers-alike', 'rate-limited'];

/** Whether the clause could have been tested and was not. */
export const wentWrong = ({ verdict, reason }: Pick<ClauseResult, 'verdict' | 'reason'>): boolean =>
  verdict === 'blocked' ||
  verdict === 'error' ||
  (verdict === 'untested' && reason !== undefined && wrongReasons.includes(reason));

function incomplete(result: RunResult): string[] {
  const { clauses, heldBack } = result;
  const [blocked, error] = [count(result, 'blocked'), count(result, 'error')];
  const never = neverAnswered(result);
  return [
    ...(blocked > 0 ? [`${formatCount(blocked, 'clause')} blocked`] : []),
    ...(error > 0 ? [`${formatCount(error, 'clause')} without an answer`] : []),
    ...wrongReasons.flatMap((reason) => {
      const number = clauses.filter((clause) => clause.verdict === 'untested' && clause.reason === reason).length;
      return number > 0 ? [`${formatCount(number, 'clause')} untested (${reason})`] : [];
    }),
    ...never.flatMap(({ operation, statuses, broken, untested }) => {
      if (broken) return [`${operation} answered only ${statuses.join(', ')}`];
      if (untested.length === 0) return [];
      const hint = hints[operation] === undefined ? '' : `: ${hints[operation]}`;
      return [
        `${operation} never succeeded (${statuses.join(', ')}), so ${formatCount(untested.length, 'clause')} could not be tested${hint}`,
      ];
    }),
    ...(heldBack > 0
      ? [`${formatCount(heldBack, 'request')} over the budget (--max-creates, --max-requests, --max-face-value)`]
      : []),
    ...(tested.every((verdict) => count(result, verdict) === 0) ? ['no clause was tested'] : []),
  ];
}

function hiddenByGreen({ clauses }: RunResult): string[] {
  const failed = clauses.filter(({ verdict }) => verdict === 'fail').length;
  const unseen = clauses.filter(
    ({ level, verdict, reason }) => level === 'stated' && verdict === 'untested' && reason === 'fact-missing',
  ).length;
  return [
    ...(failed > 0 ? [`${formatCount(failed, 'robustness expectation')} failed, which does not fail the run`] : []),
    ...(unseen > 0 ? [`${formatCount(unseen, 'stated clause')} untested (fact-missing)`] : []),
  ];
}

/** A difference in what is stated, or a clause that one side alone violates. A difference in robustness or in an open question is not. */
export const isImportant = ({ level, kind }: Pick<Difference, 'level' | 'kind'>): boolean =>
  level === 'stated' || (kind === 'violated' && level !== 'robustness');

function endingOfComparison({ a, b, differences, uncompared, compared, alike }: CompareResult): Ending {
  const exits = [...a.exits, ...b.exits];
  if (exits.includes(5)) return { code: 5, title: 'Something may be left behind', because: ['see LEFT BEHIND'] };
  if (exits.includes(6)) return { code: 6, title: 'The suite itself failed', because: ['a run ended with exit code 6'] };
  if (exits.includes(130))
    return { code: 130, title: 'Interrupted', because: ['some clauses were not run, so they were not compared'] };
  const important = differences.filter(isImportant).length;
  if (important > 0) {
    const title = `A and B differ in ${formatCount(important, 'clause')}`;
    return { code: 1, title, because: [`${formatCount(important, 'clause')} with another outcome`] };
  }
  const missing = uncompared.filter((each) => each.incomplete).length;
  if (compared === 0) return { code: 4, title: 'Nothing was compared', because: ['no clause has a verdict on both sides'] };
  if (missing > 0) {
    const because = [`${formatCount(missing, 'clause')} could not be tested on one side`];
    return { code: 4, title: 'Incomplete: some clauses could not be compared', because };
  }
  const title =
    differences.length > 0
      ? `A and B differ in no stated clause, and in ${formatCount(differences.length, 'other')}`
      : `A and B do not differ: ${alike} of ${formatCount(compared, 'clause')} alike`;
  return { code: 0, title, because: [] };
}

function endingOfFuzz(result: FuzzResult): Ending {
  const { failures, endedEarly, cases } = result;
  const cleanup = endingOfCleanup(result);
  if (cleanup) return cleanup;
  if (failures.length > 0) {
    const title = `${formatCount(failures.length, 'failure')} after ${formatCount(cases, 'case')}`;
    return { code: 1, title, because: ['an answer violates the specification'] };
  }
  if (endedEarly) {
    const code = ({ unreachable: 3, 'not-sent': 4, defect: 6, interrupted: 130 } as const)[endedEarly.because];
    return { code, title: `Ended early after ${formatCount(cases, 'case')}`, because: [endedEarly.detail] };
  }
  if (cases === 0) return { code: 4, title: 'No case was sent', because: ['--path fits only the --seed that printed it'] };
  return { code: 0, title: `Nothing is violated in ${formatCount(cases, 'case')}`, because: [] };
}

/** Findings that fail a proxy's run: violations of what is stated, and not of our own expectations. */
export const isViolation = ({
  kind,
  clause,
}: Pick<ProxyFinding, 'kind'> & { readonly clause?: ClauseName | undefined }): boolean =>
  kind === 'violated' && clause !== undefined && levelOf(clause) !== 'robustness';

function endingOfProxy({ findings, held, requests, lost, notService, faults }: ProxyResult): Ending {
  const violated = new Set(findings.filter(isViolation).map(({ clause }) => clause)).size;
  if (faults > 0) {
    const because = [`${formatCount(faults, 'exchange')} could not be checked because of a defect of the proxy`];
    return { code: 6, title: 'The proxy itself failed', because };
  }
  if (violated > 0) return { code: 1, title: `${formatCount(violated, 'clause')} violated`, because: ['see VIOLATED'] };
  if (requests > 0 && lost === requests)
    return { code: 3, title: 'The target never answered', because: [`${formatCount(requests, 'request')} without an answer`] };
  const stated = held.filter(({ clause }) => levelOf(clause) === 'stated').length;
  if (stated > 0) return { code: 0, title: `Nothing is violated: ${formatCount(stated, 'stated clause')} held`, because: [] };
  const why =
    requests === 0
      ? 'no request came'
      : notService === requests
        ? `none of ${formatCount(requests, 'request')} had a path under /api/`
        : `${formatCount(requests, 'exchange')} passed, and none shows a stated clause`;
  return { code: 4, title: 'No stated clause was tested', because: [why] };
}
