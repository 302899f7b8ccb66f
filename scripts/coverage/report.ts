import { type Evidence, enforcement, type Holes, isTested } from './check.ts';

/** The counts, then whatever is unaccounted, then one line that says how it stands. */
export function reportOf(evidence: Evidence, holes: Holes): string {
  const { items, clauses, exclusions, cited } = evidence;
  const entries = Object.entries(clauses);
  const count = (...wanted: ((name: string, clause: (typeof entries)[number][1]) => boolean)[]): number =>
    entries.filter(([name, clause]) => wanted.every((fits) => fits(name, clause))).length;
  const level = (wanted: string) => (_: string, clause: { level: string }) => clause.level === wanted;
  const by = (wanted: string) => (name: string, clause: (typeof entries)[number][1]) =>
    enforcement(name, clause, cited.mock) === wanted;
  const binding = (_: string, clause: { level: string }) => clause.level !== 'open';
  const excluded = (name: string, clause: { seen: string }) =>
    !isTested(name, cited) && (clause.seen === 'none' || name in exclusions.untested);

  const lines = [
    `items      ${items.length}: ${items.length - Object.keys(exclusions.items).length} with clauses, ${Object.keys(exclusions.items).length} excluded` +
      ` (and ${exclusions.statements.length} single statements)${evidence.specification ? '; compared with the specification' : ''}`,
    `clauses    ${entries.length}: ${count(level('stated'))} stated, ${count(level('ambiguous'))} ambiguous, ${count(level('open'))} open`,
    ...['stated', 'ambiguous', 'open'].map(
      (name) =>
        `${name.padEnd(9)}  ${count(level(name), by('mock'))} enforced by the mock, ${count(level(name), by('schema'))} by the contract's schemas, ` +
        `${count(level(name), by('wire'))} by the contract as written, ${count(level(name), by('nothing'))} by nothing`,
    ),
    `tests      of ${count(binding)} stated and ambiguous: ${count(binding, (name) => cited.suite.has(name))} by the suite, ` +
      `${count(binding, (name) => cited.tests.has(name) && !cited.suite.has(name))} by other tests only, ${count(binding, excluded)} excluded; ` +
      `${count(level('open'), (name) => isTested(name, cited))} open clauses are looked at`,
  ];
  for (const [kind, names] of Object.entries(holes))
    lines.push('', `${names.length} ${kind}:`, ...names.map((name) => `  ${name}`));
  const total = Object.values(holes).reduce((sum, names) => sum + names.length, 0);
  lines.push('', total === 0 ? 'Everything is accounted for.' : `${total} unaccounted; see above.`);
  return `${lines.join('\n')}\n`;
}
