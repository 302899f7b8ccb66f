import { levels } from '../core/contract.ts';
import { cardsCounted, counted } from '../core/counted.ts';
import { exitCode, hiddenTold, unjudgedTold } from '../core/exit.ts';
import { type ClauseResult, count, type Interrupted, type Observation, type RunResult } from '../core/result.ts';
import type { Verdict } from '../core/verdict.ts';
import { headlineOf, outcomeOf } from '../proxy/report/told.ts';

/** All verdicts, as reports order them: what wants attention first. */
export const verdicts: readonly Verdict[] = ['fail', 'known-fail', 'error', 'blocked', 'untested', 'observed', 'pass'];

const inHeadline: readonly Verdict[] = ['pass', 'fail', 'known-fail', 'observed', 'untested', 'blocked', 'error'];

/** The run in one line: what was judged of how much, by level, and what it took. */
export function headline(result: RunResult): string {
  if (result.watched) return headlineOf(result, result.watched);
  return [...levelCounts(result), costTold(result)].join(' · ');
}

/** What the run took, of the target and of money. */
export const costTold = ({ cards, requests, peakPerMinute }: RunResult): string =>
  `${cardsCounted(cards)} · ${counted(requests, 'request')}, peak ${peakPerMinute}/min`;

export function levelCounts(result: RunResult): string[] {
  return levels.flatMap((level) => {
    const clauses = result.clauses.filter((clause) => clause.level === level);
    if (clauses.length === 0) return [];
    // What a question is answered with is in range, or not; a fact is neither right nor wrong.
    const always: readonly Verdict[] = level === 'open' ? ['observed'] : level === 'ambiguous' ? ['pass'] : ['pass', 'fail'];
    const shown = inHeadline.flatMap((verdict) => {
      const number = clauses.filter((clause) => clause.verdict === verdict).length;
      const called = level === 'ambiguous' && verdict === 'pass' ? 'in range' : verdict;
      const since = verdict === 'observed' || called === 'in range' ? sinceCounts(clauses, verdict) : '';
      return number > 0 || always.includes(verdict) ? [`${number} ${called}${since}`] : [];
    });
    const all = level === 'open' || level === 'ambiguous' ? shown.length > 1 : true;
    return [`${level} ${shown.join(', ')}${all ? ` of ${clauses.length}` : ''}`];
  });
}

/** " (2 new, 1 changed)" beside what was known; nothing where all is the same, or nothing was. */
function sinceCounts(clauses: readonly ClauseResult[], verdict: Verdict): string {
  const number = (since: Observation['since']) =>
    clauses.filter(({ verdict: one, observation }) => one === verdict && observation?.since === since).length;
  const told = (['new', 'changed'] as const).flatMap((since) => (number(since) > 0 ? [`${number(since)} ${since}`] : []));
  return told.length > 0 ? ` (${told.join(', ')})` : '';
}

/** That the run was broken off, for both ends of a report, whose verdicts and counts are then those of a part; nothing where it came to its end. */
export function interruptedTold({ interrupted }: RunResult): string[] {
  return interrupted ? [`Broken off ${placeOf(interrupted)}${reservation(interrupted)}.`] : [];
}

/** Goes behind "broken off". */
const placeOf = ({ after, of }: Interrupted) =>
  after < of ? `after ${after} of ${counted(of, 'clause')}` : `while cleaning up, after the last of ${counted(of, 'clause')}`;

const reservation = ({ after, of }: Interrupted) => (after < of ? '; what was not run is no verdict' : '');

/** Why a run that may have violated nothing does not end with 0, where that is not told by what failed. */
export function exitTold(result: RunResult): string[] {
  const code = exitCode(result);
  const { interrupted } = result;
  if (code === 130 && interrupted) return [`Exit code 130: broken off ${placeOf(interrupted)}${reservation(interrupted)}.`];
  return [...interruptedTold(result), ...codeTold(result, code)];
}

function codeTold(result: RunResult, code: number): string[] {
  const { cards, recordsLeft, leftBefore = [] } = result;
  const things = (number: number, what: string) => (number > 0 ? [`${counted(number, what)}`] : []);
  const records = [...new Set(recordsLeft.map(({ what }) => what))].flatMap((what) =>
    things(recordsLeft.filter((one) => one.what === what).length, what),
  );
  const left = [...things(cards.left.length, 'card'), ...records, ...(leftBefore.length > 0 ? ['what earlier runs left'] : [])];
  if (code === 5) return [`Exit code 5: ${left.join(' and ')} could not be proven gone.`];
  if (code === 0) return hiddenTold(result);
  if (code === 1) return [`Exit code 1: ${notHolding(result).join('; ')}.`];
  return code === 4 ? [`Exit code 4, not everything could be judged: ${unjudgedTold(result).join('; ')}.`] : [];
}

/** What ends a run with 1, as clauses of a sentence. */
function notHolding(result: RunResult): string[] {
  const [violated, stale] = [violatedIn(result), result.staleBaseline.length];
  const entries = stale === 1 ? '1 entry of the baseline holds' : `${stale} entries of the baseline hold`;
  return [
    ...(violated > 0 ? [violatedTold(violated)] : []),
    ...(stale > 0
      ? [`${entries} now (STALE), and ${stale === 1 ? 'goes' : 'go'} with --baseline FILE --write-baseline FILE`]
      : []),
  ];
}

const violatedIn = ({ clauses }: RunResult): number =>
  clauses.filter(({ verdict, level }) => verdict === 'fail' && level !== 'robustness').length;

const violatedTold = (number: number): string => `${number} ${number === 1 ? 'clause is' : 'clauses are'} violated`;

/** What the run comes to, for who reads one line only. */
export function outcome(result: RunResult): { readonly good: boolean; readonly says: string } {
  if (result.watched) return outcomeOf(result, result.watched);
  const code = exitCode(result);
  const violated = violatedIn(result);
  const judged = count(result, 'pass') + count(result, 'observed');
  const known = count(result, 'known-fail');
  const all = counted(result.clauses.length, 'clause');
  const sentences: Readonly<Record<number, string>> = {
    0:
      known > 0
        ? `Nothing new is violated: ${known} known; what else could be judged holds (${judged} of ${all})`
        : `Nothing is violated of what could be judged (${judged} of ${all})`,
    1: violated > 0 ? violatedTold(violated) : 'The baseline is stale',
    4: 'Something could not be judged',
    5: 'Cards or webhooks are left behind',
    6: 'The suite itself broke',
    ...(result.interrupted ? { 130: `Broken off ${placeOf(result.interrupted)}` } : {}),
  };
  return { good: code === 0, says: sentences[code] ?? `Exit code ${code}` };
}
