import { createHash } from 'node:crypto';
import type { ClauseResult, RunResult } from '../../result.ts';
import { escaped } from '../escape.ts';
import { outcome, verdicts } from '../headline.ts';
import { bySection } from '../sections.ts';
import { clauseDetails, letterOf, type Row } from './clause.ts';
import { overview } from './overview.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/**
 * One page that needs nothing else: what was found on top, the clauses by section, every exchange folded under its clause; of several runs, their
 * verdicts beside each other. What a target sent is text in it; should something slip through all the same, no script runs but the page's own.
 */
export function htmlReport(results: readonly RunResult[]): string {
  const rows = rowsOf(results);
  const title =
    results.length === 1 ? `${outcome(results[0] as RunResult).says}: ${results[0]?.target}` : `${results.length} targets`;
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#clauses">To the clauses</a>
<header>${overview(results)}</header>
${bar(rows, results.length > 1)}
<main id="clauses">
${bySection(rows.map((row) => ({ from: row.clause.from, row })))
  .map(section)
  .join('')}</main>
<footer><p>Written by ${escaped(results[0]?.suite ?? '')}. All of it stands in this one file; results.json has it for machines.</p></footer>
<script type="module">${script}</script>
</body>
</html>
`;
}

function rowsOf(results: readonly RunResult[]): Row[] {
  const found = results.map(({ clauses }) => new Map<string, ClauseResult>(clauses.map((clause) => [clause.name, clause])));
  const all = new Map<string, ClauseResult>();
  for (const clauses of found) for (const [name, clause] of clauses) if (!all.has(name)) all.set(name, clause);
  return [...all].map(([name, clause]) => ({
    clause,
    found: results.map((run, index) => ({ run, letter: letterOf(index), clause: found[index]?.get(name) })),
  }));
}

function section({ heading, clauses }: { heading: string; clauses: readonly { row: Row }[] }): string {
  const all = clauses.flatMap(({ row }) => row.found.flatMap(({ clause }) => (clause ? [clause.verdict] : [])));
  const counts = verdicts.flatMap((verdict) => {
    const number = all.filter((each) => each === verdict).length;
    return number > 0 ? [`${number} ${verdict}`] : [];
  });
  return `<section><h2>${escaped(heading)}<small>${counts.join(', ')}</small></h2>
${clauses.map(({ row }) => clauseDetails(row)).join('')}</section>
`;
}

function bar(rows: readonly Row[], several: boolean): string {
  const has = (verdict: string) => rows.filter(({ found }) => found.some(({ clause }) => clause?.verdict === verdict)).length;
  const buttons = verdicts.flatMap((verdict) =>
    has(verdict) > 0
      ? [`<button type="button" data-show="${verdict}" aria-pressed="false">${verdict} ${has(verdict)}</button>`]
      : [],
  );
  const differing = several ? '<button type="button" data-show="differs" aria-pressed="false">differs</button>' : '';
  return `<nav class="bar" aria-label="Filter" hidden><form>${buttons.join('')}${differing}
<input type="search" placeholder="Name or text   /" aria-label="Only clauses whose name or text has"><output aria-live="polite"></output></form></nav>`;
}
