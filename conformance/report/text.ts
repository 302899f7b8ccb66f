import { calledAnywhere } from '../core/cli-name.ts';
import { counted } from '../core/counted.ts';
import { type Failing, neverAnswered } from '../core/endpoints.ts';
import type { ClauseResult, Observation, PlannedCost, RunResult } from '../core/result.ts';
import type { Verdict } from '../core/verdict.ts';
import { excerpt } from '../http/excerpt.ts';
import { watchedText } from '../proxy/report/text.ts';
import { causesOf } from './causes.ts';
import { causeText, type Evidence, title } from './failure.ts';
import { exitTold, headline, interruptedTold } from './headline.ts';

/** A run as people read it in a terminal: failures in full, facts, what was not judged by reason, the headline last, and why the exit code is 1, 4 or 5. */
export function textReport(result: RunResult, evidence: Evidence = {}): string {
  if (result.watched) return watchedText(result, result.watched);
  const failing = neverAnswered(result);
  // Those that stand alone are read one by one.
  const failures = causesOf(of(result, 'fail'), failing).toSorted((a, b) => a.clauses.length - b.clauses.length);
  const parts = [
    ...interruptedTold(result).map((sentence) => `${sentence}\n`),
    neverTold(result),
    ...failures.map((cause) => causeText(cause, result, evidence)),
    byCause('ERROR', of(result, 'error'), failing),
    byCause('BLOCKED', of(result, 'blocked'), failing),
    ...of(result, 'known-fail').map(known),
    stale(result),
    facts(result),
    byCause('UNTESTED', of(result, 'untested'), failing),
    ...leftBehind(result).map((sentence) => `LEFT BEHIND  ${sentence}\n`),
    receipt(result),
    [headline(result), ...exitTold(result)].join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

/** Sentences about what the run could not clean up, for every report to show. */
export function leftBehind({ cards, recordsLeft, leftBecause = [], leftBefore = [], cleanupFault }: RunResult): string[] {
  const listed = (each: readonly string[]) => each.map((one) => excerpt(one)).join(', ');
  const records = recordsLeft.map(({ what, value }) => `${what} ${value}`);
  return [
    ...(cards.left.length > 0 ? [`${listed(cards.left)}: see ${calledAnywhere} ledger for the codes; sweep tries again.`] : []),
    ...(records.length > 0 ? [`${listed(records)}: it stands in ${calledAnywhere} ledger; sweep tries again.`] : []),
    ...[...leftBecause.map((sentence) => `${sentence}.`), ...leftBefore].map((sentence) => excerpt(sentence, 500)),
    ...cleanupTold(cleanupFault),
  ];
}

/** The same of what went wrong when it cleaned up, if anything did. */
export const cleanupTold = (fault: string | undefined): string[] =>
  fault === undefined ? [] : [`cleaning up broke (${excerpt(fault)}): sweep looks once more.`];

const of = (result: RunResult, verdict: Verdict) => result.clauses.filter((clause) => clause.verdict === verdict);

/** What the rest hangs on is told first: endpoints that answered nothing with success. */
export function neverTold(result: RunResult): string {
  const lines = neverAnswered(result).map(
    ({ named: operation, statuses, clauses, unjudged }) =>
      `    ${operation}: ${statuses.join(', ')} (${clauses === 0 ? 'when cleaning up' : counted(clauses, 'clause')})\n${
        unjudged.length === 0
          ? ''
          : `      left unjudged:\n${named(unjudged)
              .map((line) => `    ${line}\n`)
              .join('')}`
      }`,
  );
  if (lines.length === 0) return '';
  return `NEVER ANSWERED WITH SUCCESS  None of the run's requests to these succeeded; so many clauses that asked them failed or could not be judged:\n${lines.join('')}`;
}

/** By what stood in the way. */
function byCause(label: string, clauses: readonly ClauseResult[], failing: readonly Failing[]): string {
  if (clauses.length === 0) return '';
  const lines = causesOf(clauses, failing).map((cause) =>
    [`  ${cause.says}`, ...named(cause.clauses.map(({ name }) => name))].join('\n'),
  );
  return `${label}\n${lines.join('\n')}\n`;
}

function known(clause: ClauseResult): string {
  return `${title(clause)}\n  ${excerpt(clause.known ?? '', 500)}\n`;
}

function stale({ staleBaseline }: RunResult): string {
  if (staleBaseline.length === 0) return '';
  return `STALE  The baseline calls these violated, and they hold: take them out, by hand or with --baseline FILE --write-baseline FILE.\n${staleBaseline.map((name) => `    ${name}\n`).join('')}`;
}

/** What is to be said of a fact beside itself, in brackets. */
export function remarks({ option, since, was = '', overrides = [] }: Observation): string {
  const all = [
    ...(option === null ? ['no reading of ours'] : []),
    ...(overrides.length > 0 ? [counted(overrides.length, 'override')] : []),
    ...(since === 'changed' ? [`changed, was ${excerpt(was, 200)}`] : since === 'new' ? ['new'] : []),
  ];
  return all.length > 0 ? `  (${all.join('; ')})` : '';
}

/** How the target answers what the specification leaves open: what has changed first; an answer that no reading foresaw is marked. */
function facts(result: RunResult): string {
  const seen = result.clauses.flatMap(({ name, observation }) => (observation ? [{ name, observation }] : []));
  if (seen.length === 0) return '';
  const width = Math.max(...seen.map(({ name }) => name.length)) + 2;
  const rank = ({ since }: Observation) => (since === 'changed' ? 0 : since === 'new' ? 1 : 2);
  const lines = seen
    .toSorted((a, b) => rank(a.observation) - rank(b.observation))
    .map(({ name, observation }) => `    ${name.padEnd(width)}${excerpt(observation.text, 200)}${remarks(observation)}\n`);
  return `OBSERVED\n${lines.join('')}`;
}

/** Facts that are otherwise than a facts file has them, a line each: whoever mocks the target by that file mocks it as it was. */
export const changedTold = ({ clauses }: RunResult): [name: string, says: string][] =>
  clauses.flatMap(({ name, observation }): [string, string][] =>
    observation?.since === 'changed' ? [[name, `${excerpt(observation.text, 200)}${remarks(observation)}`]] : [],
  );

/** The mode, and what the run cost beside what it was planned to. */
export function receipt({ mode, spent, planned }: RunResult): string {
  const told = ({ requests, creates, faceValue }: PlannedCost) =>
    `${counted(requests, 'request')}, ${counted(creates, 'card')} of ${faceValue.toFixed(2)} in all`;
  const counts: [number, string][] = [
    [spent.emails, 'email'],
    [spent.webhooks, 'webhook'],
    [spent.events, 'automation event'],
    [spent.coupons, 'coupon'],
  ];
  const besides = counts.flatMap(([number, what]) => (number > 0 ? [`, ${counted(number, what)}`] : [])).join('');
  return `RECEIPT  ${mode} run: ${told(spent)}${besides}${planned ? ` (planned: ${told(planned)})` : ''}\n`;
}

const fewNames = 8;

function named(names: readonly string[]): string[] {
  const more = names.length > fewNames ? [`and ${names.length - fewNames} more; results.json (--out DIR) has them all`] : [];
  return [...names.slice(0, fewNames), ...more].map((name) => `    ${name}`);
}
