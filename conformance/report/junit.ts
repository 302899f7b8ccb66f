import { called } from '../core/cli-name.ts';
import { neverAnswered } from '../core/endpoints.ts';
import { exitCode } from '../core/exit.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import { watchedSuites } from '../proxy/report/junit.ts';
import { causesOf } from './causes.ts';
import { escaped } from './escape.ts';
import { type Evidence, failureText } from './failure.ts';
import { headline, interruptedTold } from './headline.ts';
import { bySection } from './sections.ts';
import { changedTold, leftBehind, remarks } from './text.ts';

export interface Suite {
  readonly name: string;
  /** ISO 8601, without a zone, as the format has it. */
  readonly at: string;
  readonly cases: readonly Case[];
  readonly out?: string;
}

export interface Case {
  readonly name: string;
  readonly ms: number;
  readonly failure?: Told;
  readonly error?: Told;
  /** Why. */
  readonly skipped?: string;
  readonly out?: string;
}

interface Told {
  readonly message: string;
  readonly text: string;
}

/**
 * For CI tools: one suite for each section of the specification, one case a clause. Only what the run's exit code counts is a failure; what could not
 * be judged is skipped with its reason, and so is what is merely observed, since no CI tool knows a verdict that is neither good nor bad.
 */
export function junitReport(results: readonly RunResult[], evidence: Evidence = {}): string {
  const suites = results.flatMap((result) => suitesOf(result, results.length > 1 ? `${result.target} · ` : '', evidence));
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  const texts = suites.map(suiteText).join('');
  const brokenOff = results.some(({ interrupted }) => interrupted) ? ', broken off' : '';
  const by = results.every(({ watched }) => watched) ? 'giftcard-sandbox proxy' : called;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${by}${brokenOff}" ${counts}>
${texts}</testsuites>
`;
}

function suitesOf(result: RunResult, prefix: string, evidence: Evidence): Suite[] {
  if (result.watched) return watchedSuites(result, result.watched, prefix);
  const at = result.startedAt.replace(/(\.\d+)?Z$/, '');
  const trouble = result.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error' || verdict === 'blocked');
  const causes = causesOf(trouble, neverAnswered(result)).flatMap(({ says, clauses }) =>
    clauses.map(({ name }): [string, string] => [
      name,
      clauses.length === 1 ? says : `${says} (the same of ${clauses.length} clauses)`,
    ]),
  );
  const why = new Map(causes);
  const sections = bySection(result.clauses).map(({ heading, clauses }) => ({
    name: prefix + heading,
    at,
    cases: clauses.map((clause) => ({
      name: clause.name,
      ms: clause.ms,
      ...found(clause, why.get(clause.name) ?? '', result, evidence),
    })),
  }));
  return [...sections, { name: `${prefix}The run`, at, cases: ofTheRun(result), out: headline(result) }];
}

/** What fails the run although it is no clause's fault. */
function ofTheRun(result: RunResult): Case[] {
  const left = leftBehind(result).join('\n');
  const unjudged = exitCode(result) === 4 && !result.clauses.some(({ verdict }) => verdict === 'error' || verdict === 'blocked');
  const brokenOff = interruptedTold(result).join('\n');
  const stale = 'The baseline calls this clause violated, and it holds: take it out.';
  return [
    { name: 'everything created is gone', ms: 0, ...(left === '' ? {} : { failure: { message: left, text: left } }) },
    ...result.staleBaseline.map((name) => ({ name: `baseline: ${name}`, ms: 0, failure: { message: stale, text: stale } })),
    // They fail nothing, here as in the exit code.
    ...changedTold(result).map(([name, says]) => ({ name: `changed observation: ${name}`, ms: 0, skipped: says })),
    ...(brokenOff === '' ? [] : [{ name: 'came to its end', ms: 0, error: { message: brokenOff, text: brokenOff } }]),
    ...(unjudged ? [{ name: 'enough was judged', ms: 0, error: { message: headline(result), text: headline(result) } }] : []),
  ];
}

/** `why` is what is told of whatever failed, in one line that is the same for all that failed of it. */
function found(clause: ClauseResult, why: string, result: RunResult, evidence: Evidence): Omit<Case, 'name' | 'ms'> {
  const { verdict, level, observation, got = '', detail = '', known = '', reason } = clause;
  const text = failureText(clause, result, evidence);
  const out = [clause.text, ...(observation ? [`observed: ${observation.text}${remarks(observation)}`] : [])].join('\n');
  switch (verdict) {
    case 'pass':
      return { out };
    case 'fail':
      // Our own expectation fails nobody, here as in the exit code.
      if (level === 'robustness') return { skipped: `robustness: ${got}`, out: text };
      return { failure: { message: why, text } };
    case 'error':
    case 'blocked':
      return { error: { message: why, text } };
    case 'observed':
      return { skipped: `observed: ${observation ? `${observation.text}${remarks(observation)}` : ''}`, out };
    case 'known-fail':
      return { skipped: `known failure: ${known}`, out: text };
    default:
      return { skipped: [reason ?? verdict, detail].filter(Boolean).join(': '), out };
  }
}

function suiteText({ name, at, cases, out }: Suite): string {
  const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0));
  const lines = [...cases.map((one) => caseText(name, one)), ...(out === undefined ? [] : [systemOut(out)])];
  const head = `<testsuite name="${escaped(name)}" ${countsOf(cases)} time="${time}" timestamp="${escaped(at)}">`;
  return `  ${head}\n${lines.map((line) => `    ${line}\n`).join('')}  </testsuite>\n`;
}

function caseText(classname: string, { name, ms, failure, error, skipped, out }: Case): string {
  const told = (element: string, { message, text }: Told) =>
    `<${element} message="${attribute(message)}">${escaped(text)}</${element}>`;
  const parts = [
    ...(failure === undefined ? [] : [told('failure', failure)]),
    ...(error === undefined ? [] : [told('error', error)]),
    ...(skipped === undefined ? [] : [`<skipped message="${attribute(skipped)}"/>`]),
    ...(out === undefined ? [] : [systemOut(out)]),
  ];
  return `<testcase classname="${escaped(classname)}" name="${escaped(name)}" time="${seconds(ms)}">${parts.join('')}</testcase>`;
}

const systemOut = (text: string) => `<system-out>${escaped(text)}</system-out>`;
const attribute = (text: string) => escaped(text.replaceAll('\n', ' '));
const seconds = (ms: number) => (ms / 1_000).toFixed(3);

function countsOf(cases: readonly Case[]): string {
  const counted = (kind: 'failure' | 'error' | 'skipped') => cases.filter((one) => one[kind] !== undefined).length;
  return `tests="${cases.length}" failures="${counted('failure')}" errors="${counted('error')}" skipped="${counted('skipped')}"`;
}
