import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult, Fact, RunResult } from '../result.ts';
import type { FactsFile } from './file.ts';

/** The result, each of its facts held beside what was known of the target; none of them fails for it. */
export function withFacts(result: RunResult, known: FactsFile): RunResult {
  return { ...result, clauses: result.clauses.map((clause) => (clause.fact ? besideKnown(clause, clause.fact, known) : clause)) };
}

function besideKnown(clause: ClauseResult, fact: Fact, known: FactsFile): ClauseResult {
  const was = wordsOf(known, clause.name);
  if (was === undefined) return { ...clause, fact: { ...fact, since: 'new' } };
  const since = was === (fact.reading ?? fact.told) ? { since: 'same' as const } : { since: 'changed' as const, was };
  return { ...clause, fact: { ...fact, ...since } };
}

/** The reading that is known of a clause, or the words for what no reading foresaw. */
export const wordsOf = ({ facts, unforeseen }: FactsFile, name: ClauseName): string | undefined =>
  facts?.[name] ?? unforeseen?.[name];

export interface FactsDifference {
  readonly name: ClauseName;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Clauses of which two files know something else, in the order of the first. */
export function factsDifferences(before: FactsFile, after: FactsFile): FactsDifference[] {
  const names = new Set([before, after].flatMap(({ facts, unforeseen }) => Object.keys({ ...facts, ...unforeseen })));
  return [...names].flatMap((each) => {
    const name = each as ClauseName;
    const [a, b] = [wordsOf(before, name), wordsOf(after, name)];
    return a === b ? [] : [{ name, before: a, after: b }];
  });
}
