import { isDeepStrictEqual } from 'node:util';
import { rowsOf } from '../../openapi/effective/behaviors.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import type { Behaviors, ClauseName } from '../../openapi/generated/clauses.ts';
import type { ClauseResult, Observation, RunResult } from '../core/result.ts';
import type { FactsFile } from './file.ts';

/** The result, each of its facts held beside what was known of the target; none of them fails for it. */
export function withFacts(result: RunResult, known: FactsFile): RunResult {
  const clauses = result.clauses.map((clause) => (clause.observation ? besideKnown(clause, clause.observation, known) : clause));
  return { ...result, clauses };
}

function besideKnown(clause: ClauseResult, observation: Observation, known: FactsFile): ClauseResult {
  const was = wordsOf(known, clause.name);
  if (was === undefined) return { ...clause, observation: { ...observation, since: 'new' } };
  if (was === (observation.option ?? observation.text)) return { ...clause, observation: { ...observation, since: 'same' } };
  return { ...clause, observation: { ...observation, since: 'changed', was } };
}

/** How the wire is known to differ from the contract: the rows of the behaviors that hold, and those that stand beside them. */
export const knownWire = ({ facts = {}, wire = [] }: FactsFile = {}): readonly Row[] => [
  ...wire,
  ...rowsOf(facts as Partial<Behaviors>).map(({ row }) => row),
];

/** Clauses of which the file knows something. */
export const namesOf = ({ facts, unforeseen }: FactsFile): ClauseName[] =>
  Object.keys({ ...facts, ...unforeseen }) as ClauseName[];

/** When a clause was seen last. In a file that dates none it is as old as the whole; in one that does, what has no date was not seen. */
export const seenAt = ({ seen, about }: FactsFile, name: ClauseName): string | undefined =>
  seen === undefined ? about?.at : seen[name]?.at;

export const daysBetween = (earlier: string, later: string): number =>
  Math.max(0, Math.floor((Date.parse(later) - Date.parse(earlier)) / 86_400_000));

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
  const names = new Set([before, after].flatMap(namesOf));
  return [...names].flatMap((name) => {
    const [a, b] = [wordsOf(before, name), wordsOf(after, name)];
    return a === b ? [] : [{ name, before: a, after: b }];
  });
}

/** Rows that only one of two files has. */
export function rowsDifferences(before: FactsFile, after: FactsFile): { readonly gone: Row[]; readonly added: Row[] } {
  const only = ({ wire = [] }: FactsFile, { wire: others = [] }: FactsFile) =>
    wire.filter((row) => !others.some((other) => isDeepStrictEqual(row, other)));
  return { gone: only(before, after), added: only(after, before) };
}
