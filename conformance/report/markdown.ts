import { neverAnswered } from '../core/endpoints.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import type { Verdict } from '../core/verdict.ts';
import { watchedMarkdown } from '../proxy/report/markdown.ts';
import { causesOf } from './causes.ts';
import { code, table } from './cells.ts';
import { fenced } from './escape.ts';
import { causeText, type Evidence } from './failure.ts';
import { headline, interruptedTold, outcome, verdicts } from './headline.ts';
import { inCell, matrixOf } from './matrix.ts';
import { bySection } from './sections.ts';
import { changedTold, leftBehind, neverTold } from './text.ts';

/** Job summaries are cut off at a megabyte; whoever has more failures than this has them in the other formats. */
const mostFailures = 100;

/** For a job summary: the headline, a table of what differs where there are several runs, the failures, and a table by section. */
export function markdownReport(results: readonly RunResult[], evidence: Evidence = {}): string {
  return [...(results.length > 1 ? [matrix(results)] : []), ...results.map((result) => one(result, evidence))].join('\n');
}

function one(result: RunResult, evidence: Evidence): string {
  if (result.watched) return watchedMarkdown(result, result.watched);
  const { good, says } = outcome(result);
  const attention = result.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error' || verdict === 'blocked');
  const causes = (['fail', 'error', 'blocked'] as const).flatMap((verdict) =>
    causesOf(
      attention.filter((clause) => clause.verdict === verdict),
      neverAnswered(result),
    ),
  );
  const blocks = causes.slice(0, mostFailures).map((cause) => fenced(causeText(cause, result, evidence).trimEnd()));
  const more = causes.length - blocks.length;
  const never = neverTold(result);
  const changed = changedTold(result);
  const brokenOff = interruptedTold(result).map((sentence) => `**${sentence}**`);
  return [
    `## ${good ? '✅' : '❌'} ${says}`,
    `Target ${code(result.target)}, ${code(result.suite)}, ${result.startedAt}`,
    ...brokenOff,
    headline(result),
    ...leftBehind(result).map((sentence) => `**Left behind:** ${code(sentence)}`),
    ...(result.staleBaseline.length > 0
      ? [`**Stale in the baseline**, since they hold now: ${result.staleBaseline.map(code).join(', ')}`]
      : []),
    ...(changed.length > 0
      ? [`**Changed since they were known:**\n\n${changed.map(([name, told]) => `- ${code(`${name}  ${told}`)}`).join('\n')}`]
      : []),
    ...(never === '' ? [] : [fenced(never.trimEnd())]),
    ...blocks,
    ...(more > 0 ? [`… and ${more} more.`] : []),
    sectionTable(result),
    ...brokenOff,
  ]
    .join('\n\n')
    .concat('\n');
}

function sectionTable(result: RunResult): string {
  const shown = verdicts.toReversed().filter((verdict) => result.clauses.some((clause) => clause.verdict === verdict));
  const number = (clauses: readonly ClauseResult[], verdict: Verdict) =>
    String(clauses.filter((clause) => clause.verdict === verdict).length || '');
  return table(
    ['Section', ...shown],
    bySection(result.clauses).map(({ heading, clauses }) => [heading, ...shown.map((verdict) => number(clauses, verdict))]),
  );
}

/** What several targets do not have in common. */
function matrix(results: readonly RunResult[]): string {
  const { rows, says } = matrixOf(results);
  if (rows.length === 0) return `## ${says}\n`;
  const cell = (clause: ClauseResult | undefined) => (clause?.observation ? code(clause.observation.text) : inCell(clause));
  const lines = rows.map(({ name, cells }) => [code(name), ...cells.map(cell)]);
  return `## ${says}\n\n${table(['Clause', ...results.map(({ target }) => code(target))], lines)}\n`;
}
