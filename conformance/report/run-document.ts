import { type Failing, neverSucceeded } from '../core/endpoints.ts';
import { type Cleanup, type Observation, type RuleResult, type RunResult, sendsSerially } from '../core/result.ts';
import { failsRun } from '../core/run-ending.ts';
import { cliName, describeCards, excerpt, formatCount, tally } from '../core/text.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Reason } from '../safety/policy.ts';
import { curlOfExchange } from './curl.ts';
import {
  aboutRule,
  type Content,
  causeOfRule,
  groupBy,
  headingOf,
  leftNotices,
  type ReportItem,
  type ReportNotice,
  type ReportRow,
  secondsOf,
} from './document.ts';
import { shellWord } from './escape.ts';
import { likely } from './likely.ts';
import { missingDeliveries, stepsOf, violatingExchange } from './steps.ts';

/** A run that changes nothing because of the account's webhooks also has a reason for its mode. */
const isDoubtful = ({ mode, modeBecause }: RunResult): boolean => mode === 'safe' && modeBecause !== undefined;

export function runDocument(result: RunResult): Content {
  const failing = neverSucceeded(result);
  const rules = result.rules.toSorted((one, other) => rankOf(one) - rankOf(other));
  return {
    heading: `giftcard conformance · ${result.target} · ${result.mode} mode${isDoubtful(result) ? ' (not the mock; --mode full for your own server)' : ''}`,
    title: titleOfRun(result),
    target: result.target,
    summary: [...limitLines(result), ...serialLine(result), describeCards(result.cards)],
    notices: notices(result, failing),
    groups: [...groupBy(rules, headingOf)].map(([heading, own]) => ({
      heading,
      items: own.map((rule) => ruleItem(rule, result, causeOfRule(rule, failing))),
    })),
    setup: setup(result),
  };
}

/** Both reasons mean that the profile lacks an entry. */
const shortReasons: Readonly<Partial<Record<Reason, string>>> = { 'fixture-missing': 'profile', 'no-second-key': 'profile' };

/** Returns the counts of a run in one line: "43 of 217 stated rules hold · 0 violated · 174 untested (budget 121, profile 53) · 24 s". */
function titleOfRun(result: RunResult): string {
  const others = result.rules.filter(({ level }) => level !== 'stated');
  const stated = result.rules.filter(({ level }) => level === 'stated');
  const failures = others.filter(({ verdict }) => verdict === 'fail');
  const failed = groupBy(failures, ({ level }) => (level === 'robustness' ? 'expectation' : `${level} rule`));
  const violated = [...failed].map(([what, { length }]) => `${formatCount(length, what)} violated`);
  const verdicts = tally(others.map(({ verdict }) => verdict)) || 'none was run';
  const own = stated.length > 0 ? statedCounts(stated) : [`${formatCount(others.length, 'rule')}: ${verdicts}`];
  const since = result.interrupted?.since;
  const lost = since === undefined ? [] : [`the target has not responded since ${since}`];
  return [...own, ...violated, ...lost, secondsOf(result)].join(' · ');
}

function statedCounts(rules: readonly RuleResult[]): string[] {
  const number = (wanted: string) => rules.filter(({ verdict }) => verdict === wanted).length;
  const of = `of ${formatCount(rules.length, 'stated rule')}`;
  const hold = number('pass') === 1 ? 'holds' : 'hold';
  const all = rules.flatMap(({ verdict, reason }) => (verdict === 'untested' && reason ? [reason] : []));
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

/** Violations that tests found come first, then those that only the oracle found. A test shows more of what leads to a violation. */
const rankOf = ({ verdict, expected, text }: RuleResult) => (verdict !== 'fail' ? 2 : expected === text ? 1 : 0);

/** Returns a line about the rules that the limits of a run leave out, or check only in part. */
function limitLines({ rules, mode }: RunResult): string[] {
  const isOverLimit = ({ reason, detail = '' }: RuleResult) => reason === 'budget' && detail.includes('--max-');
  const leftOut = rules.filter(isOverLimit);
  const thin = rules.filter(({ notChecked }) => notChecked?.includes('--max-creates'));
  const texts = [
    ...(leftOut[0] ? [`${formatCount(leftOut.length, 'rule')} left out: ${leftOut[0].detail}`] : []),
    ...(thin.length > 0 ? [`${formatCount(thin.length, 'rule')} checked in part, because of --max-creates`] : []),
  ];
  return mode === 'read-only' || texts.length === 0 ? [] : [`Limits ${texts.join(' · ')}`];
}

const serialLine = ({ rules }: RunResult): string[] =>
  rules.some(({ deliveries }) => deliveries?.includes(sendsSerially)) ? [`Deliveries ${sendsSerially}`] : [];

function notices(result: RunResult, failing: readonly Failing[]): ReportNotice[] {
  const { staleBaseline, rules } = result;
  const changed = rules.flatMap(({ name, observation }) =>
    observation?.since === 'changed' ? [`${name}  ${observationText(observation)}`] : [],
  );
  const lists: ReportNotice[] = [
    {
      label: 'NEVER SUCCEEDED',
      text: 'No request to these operations succeeded. Rules that need these operations failed or could not be tested.',
      lines: failing.flatMap(({ operation, statuses, rules: number, untested }) => [
        `${operation}: ${statuses.join(', ')} (${formatCount(number, 'rule')})`,
        ...(untested.length > 0 ? [`  not tested because of this: ${untested.join(', ')}`] : []),
      ]),
    },
    {
      label: 'STALE BASELINE',
      text: 'The target no longer needs these lines of the baseline. Update it with --baseline FILE --write-baseline FILE.',
      lines: staleBaseline,
    },
    {
      label: 'CHANGED',
      text: 'In these questions, the target behaves differently from the variant file.',
      lines: changed,
    },
  ];
  return [...leftNotices(leftBehind(result)), ...lists.filter(({ lines = [] }) => lines.length > 0)];
}

const remedy = `To print the codes: ${cliName} ledger --target URL. To void and delete the leftovers: ${cliName} sweep --target URL.`;

/** Maximum number of leftovers that a line names. `ledger` lists them all. */
const mostListed = 5;

export function leftBehind({ cards, recordsLeft, leftBecause, leftBefore, cleanupFault, leaveCards = 0 }: Cleanup): string[] {
  const isAllowed = cards.left.length <= leaveCards && recordsLeft.length === 0 && leftBefore.length === 0;
  if (isAllowed && cleanupFault === undefined) return [];
  const all = [...cards.left, ...recordsLeft.map(({ what, value }) => `${what} ${value}`)];
  const listed = all.slice(0, mostListed).map((one) => excerpt(one));
  if (all.length > mostListed) listed.push(`${all.length - mostListed} more`);
  return [
    ...(listed.length > 0 ? [`${listed.join(', ')}. ${remedy}`] : []),
    ...[...leftBecause.map((sentence) => `${sentence}.`), ...leftBefore].map((sentence) => excerpt(sentence, 500)),
    ...(cleanupFault === undefined ? [] : [`Cleanup failed (${excerpt(cleanupFault)}). Run sweep to check what is left.`]),
  ];
}

function setup({ target, mode, modeBecause, configuration, requests, planned, peakPerMinute, spent }: RunResult): ReportRow[] {
  const { again, profile, ratePerMinute, seed } = configuration;
  return [
    ['Target', target],
    ['Mode', modeBecause === undefined ? mode : `${mode} (${modeBecause})`],
    ['Requests', `${requests}${planned ? ` (planned: ${planned.requests})` : ''}, peak ${peakPerMinute}/min`],
    ['Face value', spent.faceValue.toFixed(2)],
    ['Run one rule again', `${again} RULE`],
    ['Profile entries', profile.join(', ') || 'none'],
    ['Rate', ratePerMinute === undefined ? 'unlimited' : `at most ${ratePerMinute} requests a minute`],
    ['Seed', seed === undefined ? 'default' : String(seed)],
  ];
}

/** Returns the observation, with its difference from the variant file. */
function observationText({ option, text, since, was = '', overrides = [] }: Observation): string {
  const remarks = [
    ...(option === null ? ['not an option of the contract'] : []),
    ...(overrides.length > 0 ? [formatCount(overrides.length, 'override')] : []),
    ...(since === 'changed' ? [`changed, was ${excerpt(was, 200)}`] : since === 'new' ? ['new'] : []),
  ];
  return excerpt(text, 200) + (remarks.length > 0 ? `  (${remarks.join('; ')})` : '');
}

/** The verdicts of rules that were not tested, or that the baseline excuses. */
const outcomes: Readonly<Partial<Record<Verdict, ReportItem['outcome']>>> = {
  untested: 'skipped',
  'known-fail': 'skipped',
  error: 'error',
  blocked: 'error',
};

type ItemBasis = Pick<RunResult, 'configuration' | 'target' | 'failOn'>;

export function ruleItem(rule: RuleResult, result: ItemBasis, cause: string): ReportItem {
  const { name, verdict, level, from, text, observation, known, exchanges, received = [], ms } = rule;
  const decisive = verdict === 'fail' ? violatingExchange(rule) : undefined;
  return {
    id: name,
    name,
    status: verdict,
    outcome: failsRun(rule, result) ? 'failure' : (outcomes[verdict] ?? 'passed'),
    display: verdict === 'fail' ? 'full' : verdict === 'error' || verdict === 'blocked' ? 'cause' : 'verbose',
    about: aboutRule(level, from),
    text,
    cause: observation ? observationText(observation) : (known ?? cause),
    details: details(rule, result),
    exchanges: [...exchanges, ...received],
    ...(decisive ? { decidedBy: exchanges.indexOf(decisive) } : received.length > 0 ? { decidedBy: exchanges.length } : {}),
    ms,
  };
}

function details(rule: RuleResult, { target, configuration }: ItemBasis): ReportRow[] {
  const { verdict, observation, assumptions, deliveries = [] } = rule;
  const isViolated = verdict === 'fail' || verdict === 'known-fail';
  const received = (isViolated && rule.received) || [];
  const request = verdict === 'fail' ? violatingExchange(rule) : undefined;
  const missing = missingDeliveries(rule);
  const rows: [string, string | undefined][] = [
    ['Did', stepsOf(rule).join('; ')],
    ['Expected', rule.expected],
    ['Got', rule.got],
    ['Observed', observation && observationText(observation)],
    ['Reason', rule.reason],
    ['Detail', rule.detail],
    ['Known', rule.known],
    ['Control', rule.controls.join('; ')],
    ['Assumes', assumptions.length > 0 ? `${assumptions.join(', ')}  (open; observed on this target)` : undefined],
    ['Not checked', rule.notChecked],
    ['Likely', likely(rule)],
    ['Request', request && curlOfExchange(request, target)],
    ['Deliveries', (missing.length > 0 || received.length > 0 ? missing : deliveries).join('; ')],
    ['Received', received[0] && curlOfExchange(received[0], target)],
    ['Again', verdict === 'pass' ? undefined : `${configuration.again} ${shellWord(rule.name)}`],
  ];
  return rows.flatMap(([label, text]): ReportRow[] =>
    text ? [[label, excerpt(text, label === 'Request' || label === 'Received' ? 4_000 : 900)]] : [],
  );
}
