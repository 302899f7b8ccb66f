import { levels } from '../core/contract.ts';
import { neverAnswered } from '../core/endpoints.ts';
import { describeStatusAndBody } from '../core/expect.ts';
import type { ClauseResult, Cleanup, Observation, RunResult } from '../core/result.ts';
import { cliName, describeCards, excerpt, formatCount } from '../core/text.ts';
import type { Verdict } from '../core/verdict.ts';
import { causeOf, groupBy } from './causes.ts';
import { curlLine, curlScript } from './curl.ts';
import { aboutClause, type Content, type Item, leftNotices, type Notice, type Row, secondsOf } from './document.ts';
import { shellWord } from './escape.ts';
import { likely } from './likely.ts';
import { bySection } from './sections.ts';

export function runDocument(result: RunResult): Content {
  const failing = neverAnswered(result);
  return {
    summary: [result.target, ...levelCounts(result), cost(result), ...counts(result)],
    notices: notices(result),
    groups: bySection(result.clauses).map(({ heading, clauses }) => ({
      heading,
      items: clauses.map((clause) => clauseItem(clause, result, causeOf(clause, failing))),
    })),
    setup: setup(result),
    hasDoubts: result.clauses.some(({ verdict }) => verdict === 'fail'),
  };
}

/** Verdicts in the order in which reports count them. */
const verdicts: readonly Verdict[] = ['pass', 'fail', 'known-fail', 'observed', 'untested', 'blocked', 'error'];

/** One line per level: "stated 201 pass, 0 fail, 10 untested of 211". */
function levelCounts({ clauses }: RunResult): string[] {
  return levels.flatMap((level) => {
    const own = clauses.filter((clause) => clause.level === level);
    // Levels with expectations show these two numbers even if they are 0.
    const always = level === 'stated' || level === 'robustness' ? ['pass', 'fail'] : [];
    const parts = verdicts.flatMap((verdict) => {
      const number = own.filter((clause) => clause.verdict === verdict).length;
      return number > 0 || always.includes(verdict) ? [`${number} ${verdict}`] : [];
    });
    return own.length === 0 ? [] : [`${level.padEnd(10)} ${parts.join(', ')} of ${own.length}`];
  });
}

function cost({ mode, cards, requests, peakPerMinute, spent, planned, ...result }: RunResult): string {
  const plan = planned ? ` (planned: ${planned.requests})` : '';
  const cardsAndValue = `${describeCards(cards)}, face value ${spent.faceValue.toFixed(2)}`;
  return `${mode} run, ${secondsOf(result as RunResult)} · ${formatCount(requests, 'request')}${plan}, peak ${peakPerMinute}/min · ${cardsAndValue}`;
}

/** Why clauses are untested, and how observations compare with the variant file. */
function counts({ clauses }: RunResult): string[] {
  const since = clauses.map(({ observation }) => observation?.since).filter((each) => each !== undefined);
  const compared = (['new', 'changed', 'same'] as const).map(
    (each) => `${since.filter((other) => other === each).length} ${each}`,
  );
  const reasons = groupBy(
    clauses.flatMap(({ reason }) => (reason ? [reason] : [])),
    (reason) => reason,
  );
  const sorted = [...reasons].map(([reason, { length }]) => ({ reason, length })).toSorted((a, b) => b.length - a.length);
  return [
    ...(sorted.length > 0 ? [`untested   ${sorted.map(({ reason, length }) => `${length} ${reason}`).join(', ')}`] : []),
    ...(since.length > 0 ? [`observed   ${compared.join(', ')}, compared with the variant file`] : []),
  ];
}

function notices(result: RunResult): Notice[] {
  const { interrupted, staleBaseline, clauses } = result;
  const changed = clauses.filter(({ observation }) => observation?.since === 'changed');
  const never = neverAnswered(result);
  const sentences: (Notice | false)[] = [
    interrupted !== undefined && {
      label: 'INTERRUPTED',
      text: `${interrupted.after} of ${formatCount(interrupted.of, 'clause')} were run. The others have no verdict.`,
    },
    ...leftNotices(leftBehind(result)),
    never.length > 0 && {
      label: 'NEVER SUCCEEDED',
      text: 'No request of the run to these operations succeeded. Clauses that depend on them failed or could not be tested.',
      lines: never.flatMap(({ operation, statuses, clauses: number, untested }) => [
        `${operation}: ${statuses.join(', ')} (${formatCount(number, 'clause')})`,
        ...(untested.length > 0 ? [`  could not be tested: ${untested.join(', ')}`] : []),
      ]),
    },
    staleBaseline.length > 0 && {
      label: 'STALE BASELINE',
      text: 'These clauses pass now. Update the baseline with --baseline FILE --write-baseline FILE.',
      lines: staleBaseline,
    },
    changed.length > 0 && {
      label: 'CHANGED',
      text: 'The target answers these open questions differently from the variant file.',
      lines: changed.map(({ name, observation }) => `${name}  ${observation ? observationText(observation) : ''}`),
    },
  ];
  return sentences.filter((notice) => notice !== false);
}

/** One sentence for each kind of leftover of a command. */
export function leftBehind({ cards, recordsLeft, leftBecause = [], leftBefore = [], cleanupFault }: Cleanup): string[] {
  const listed = [...cards.left, ...recordsLeft.map(({ what, value }) => `${what} ${value}`)].map((one) => excerpt(one));
  return [
    ...(listed.length > 0
      ? [`${listed.join(', ')}. Codes: ${cliName} ledger --target URL. Try again: ${cliName} sweep --target URL.`]
      : []),
    ...[...leftBecause.map((sentence) => `${sentence}.`), ...leftBefore].map((sentence) => excerpt(sentence, 500)),
    ...(cleanupFault === undefined ? [] : [`Cleanup failed (${excerpt(cleanupFault)}). Run sweep to check what is left.`]),
  ];
}

function setup(result: RunResult): Row[] {
  const { configuration, mode, spent } = result;
  const { again, profile, ratePerMinute, seed } = configuration;
  const { voids, adjustments, emails, webhooks, events } = spent;
  const numbers = {
    void: voids,
    adjustment: adjustments,
    email: emails,
    webhook: webhooks,
    'automation event': events,
  };
  const effects = Object.entries(numbers).map(([effect, number]) => formatCount(number, effect));
  return [
    ['Target', result.target],
    ['Mode', mode],
    ['Run one clause again', `${again} CLAUSE`],
    ['Profile entries', profile.join(', ') || 'none'],
    ['Effects', effects.join(', ')],
    ['Rate', ratePerMinute === undefined ? 'unlimited' : `at most ${ratePerMinute} requests a minute`],
    ...(seed === undefined ? [] : [['Seed', String(seed)] as const]),
  ];
}

/** The observation, and whether it differs from the variant file. */
function observationText({ option, text, since, was = '', overrides = [] }: Observation): string {
  const remarks = [
    ...(option === null ? ['not an option of the contract'] : []),
    ...(overrides.length > 0 ? [formatCount(overrides.length, 'override')] : []),
    ...(since === 'changed' ? [`changed, was ${excerpt(was, 200)}`] : since === 'new' ? ['new'] : []),
  ];
  return excerpt(text, 200) + (remarks.length > 0 ? `  (${remarks.join('; ')})` : '');
}

type ItemBasis = Pick<RunResult, 'configuration'> & Partial<Pick<RunResult, 'target'>>;

export function clauseItem(clause: ClauseResult, result: ItemBasis, cause: string): Item {
  const { name, verdict, level, from, text, observation, known, exchanges, ms } = clause;
  const isOwnExpectation = verdict === 'fail' && level === 'robustness';
  return {
    id: name,
    name,
    status: verdict,
    outcome: isOwnExpectation ? 'skipped' : (outcomes[verdict] ?? 'skipped'),
    display: verdict === 'fail' ? 'full' : verdict === 'error' || verdict === 'blocked' ? 'cause' : 'verbose',
    about: aboutClause(level, from),
    text,
    cause: observation ? observationText(observation) : (known ?? cause),
    details: details(clause, result),
    exchanges,
    ...(result.target !== undefined && exchanges.length > 0 ? { script: curlScript(exchanges, result.target) } : {}),
    ms,
  };
}

const outcomes: Readonly<Partial<Record<Verdict, Item['outcome']>>> = {
  pass: 'passed',
  fail: 'failure',
  error: 'error',
  blocked: 'error',
};

function details(clause: ClauseResult, result: ItemBasis): Row[] {
  const {
    verdict,
    reason,
    did,
    expected,
    got,
    detail,
    known,
    controls,
    assumptions,
    notChecked,
    observation,
    deliveries = [],
  } = clause;
  const request = verdict === 'fail' ? requestLine(clause, result.target) : undefined;
  const rows: [string, string | undefined][] = [
    ['Did', withoutRepeats(did).join('; ')],
    ['Expected', expected],
    ['Got', got],
    ['Observed', observation && observationText(observation)],
    ['Reason', reason],
    ['Detail', detail],
    ['Known', known],
    ['Control', controls.join('; ')],
    ['Assumes', assumptions.length > 0 ? `${assumptions.join(', ')}  (open; observed on this target)` : undefined],
    ['Not checked', notChecked],
    ['Likely', likely(clause)],
    ['Request', request],
    ['Deliveries', deliveries.join('; ')],
    ['Again', verdict === 'pass' ? undefined : `${result.configuration.again} ${shellWord(clause.name)}`],
  ];
  return rows.flatMap(([label, text]): Row[] => (text ? [[label, excerpt(text, 900)]] : []));
}

/** Steps that differ only in a generated name are listed once, with a count. */
function withoutRepeats(did: readonly string[]): string[] {
  const runs: { step: string; times: number }[] = [];
  const pattern = (step: string) => step.replace(/named as \w+/, '');
  for (const step of did) {
    const last = runs.at(-1);
    if (last && pattern(last.step) === pattern(step)) last.times += 1;
    else runs.push({ step, times: 1 });
  }
  return runs.map(({ step, times }) => (times === 1 ? step : `${step} and ${times - 1} more`));
}

/** The request whose answer is the failure, or the last one. The script in report.html sets variables other than the key. */
function requestLine({ exchanges, got }: ClauseResult, target: string | undefined): string | undefined {
  const exchange = exchanges.findLast(({ status, body }) => got === describeStatusAndBody(status, body)) ?? exchanges.at(-1);
  if (!exchange || target === undefined) return undefined;
  const line = curlLine(exchange, target);
  const needsScript = [...line.matchAll(/"\$(\w+)"/g)].some(([, variable]) => variable !== 'GIFTCARD_API_KEY');
  return needsScript ? `${line}  # report.html (--out FOLDER) has the lines that set the variables` : line;
}
