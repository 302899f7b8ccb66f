import type { RunResult } from '../../core/result.ts';
import { code, table } from '../../report/cells.ts';
import { fenced } from '../../report/escape.ts';
import { bySection } from '../../report/sections.ts';
import { countOf, heldOf, type Watched } from '../watched.ts';
import { called, factsTold, grouped, groupText, headlineOf, meant, moreTold, notSeen, outcomeOf } from './told.ts';

/** Job summaries are cut off at a megabyte. */
const mostGroups = 100;

/** For a job summary: the headline, every kind of finding under a heading of its own, and what held by section. */
export function watchedMarkdown(result: RunResult, watched: Watched): string {
  const { good, doubts, says } = outcomeOf(result, watched);
  const found = grouped(result).flatMap(({ kind, groups }) => [
    `### ${called[kind]}: ${countOf(watched, kind)}`,
    meant[kind],
    ...groups.slice(0, mostGroups).map((group) => fenced(groupText(group, watched).trimEnd())),
    ...(groups.length > mostGroups ? [`… ${moreTold(groups.length - mostGroups)}.`] : []),
  ]);
  const facts = factsTold(watched);
  return [
    `## ${doubts ? '⚠️' : good ? '✅' : '❌'} ${says}`,
    `Traffic to ${code(result.target)}, ${code(result.suite)}, ${result.startedAt}`,
    headlineOf(result, watched),
    ...found,
    ...(facts ? [`**Facts:** ${facts.sentence}`, ...facts.rows.map((row) => `- ${code(row)}`)] : []),
    ...heldTable(result, watched),
    notSeen,
  ]
    .join('\n\n')
    .concat('\n');
}

function heldTable(result: RunResult, { held }: Watched): string[] {
  const times = new Map(held.map((each) => [each.clause, each.times]));
  const sections = bySection(heldOf(result));
  if (sections.length === 0) return [];
  return [
    table(
      ['Section', 'clauses that held', 'how often in all'],
      sections.map(({ heading, clauses }) => {
        const sum = clauses.reduce((all, { name }) => all + (times.get(name) ?? 0), 0);
        return [heading, String(clauses.length), String(sum)];
      }),
    ),
  ];
}
