import { checks } from '../../conformance/core/clause.ts';
import { clauseTexts, levelOf } from '../../conformance/core/contract.ts';
import { excerpt } from '../../conformance/http/excerpt.ts';
import { bySection } from '../../conformance/report/sections.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Judgement } from './judge.ts';
import type { Mutant } from './mutant.ts';

/** Statements that have a test and no mutant: nobody knows whether their tests notice anything. */
export function unwatched(mutants: readonly Mutant[]): ClauseName[] {
  const violated = new Set(mutants.map(({ clause }) => clause));
  // Probes of what is open judge nothing.
  const tested = checks().filter(({ name }) => clauseTexts.get(name)?.level === 'stated');
  return tested.flatMap(({ name }) => (violated.has(name) ? [] : [name]));
}

/** What came of all that were judged: the counts by section and level, then what is wrong with reasons, and the score in one line. */
export function scoreTold(judgements: readonly Judgement[], unwatchedNames: readonly ClauseName[]): string {
  const wrong = judgements.filter(({ outcome }) => outcome !== 'noticed');
  return [
    ...sections(judgements),
    '',
    ...wrong.flatMap(({ mutant, outcome, why }) => [
      `${outcome === 'stale' ? 'STALE' : 'SURVIVED'}  ${mutant.name}  (${mutant.file})`,
      `  puts in   ${excerpt(mutant.replace, 200)}`,
      `  because   ${excerpt(why, 600)}`,
      '',
    ]),
    ...(unwatchedNames.length > 0
      ? [`NO MUTANT  of ${unwatchedNames.length} statements that have a test:`, ...unwatchedNames.map((name) => `  ${name}`), '']
      : []),
    scoreLine(judgements),
    '',
  ].join('\n');
}

/** "218 of 218 mutants noticed by their own clause's test: of 150 stated clauses and 2 of robustness". */
export function scoreLine(judgements: readonly Judgement[]): string {
  const noticed = judgements.filter(({ outcome }) => outcome === 'noticed').length;
  const clauses = [...new Set(judgements.map(({ mutant }) => mutant.clause))];
  const of = (level: string) => clauses.filter((name) => levelOf(name) === level).length;
  const ours = of('robustness');
  return `${noticed} of ${judgements.length} mutants noticed by their own clause's test; ${of('stated')} stated clauses${ours > 0 ? `, ${ours} of robustness` : ''}`;
}

export const isPerfect = (judgements: readonly Judgement[], unwatchedNames: readonly ClauseName[]): boolean =>
  judgements.length > 0 && unwatchedNames.length === 0 && judgements.every(({ outcome }) => outcome === 'noticed');

function sections(judgements: readonly Judgement[]): string[] {
  const found = bySection(judgements.map((each) => ({ from: clauseTexts.get(each.mutant.clause)?.from ?? [], each })));
  const rows = found.map(({ heading, clauses }) => {
    const all = clauses.map(({ each }) => each);
    const noticed = all.filter(({ outcome }) => outcome === 'noticed').length;
    return [heading, String(new Set(all.map(({ mutant }) => mutant.clause)).size), `${noticed} of ${all.length}`];
  });
  return table([['Section', 'clauses', 'noticed'], ...rows]);
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 3)))
      .join('')
      .trimEnd(),
  );
}
