import { isDeepStrictEqual } from 'node:util';
import { rowsOf } from '../../openapi/effective/behaviors.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import type { Behaviors, ClauseName } from '../../openapi/generated/clauses.ts';
import { usuallyOldAfter } from '../core/defaults.ts';
import type { ClauseResult, Fact, RunResult, StaleFact } from '../core/result.ts';
import type { FactsFile } from './file.ts';

/** The result, each of its facts held beside what was known of the target; none of them fails for it. */
export function withFacts(result: RunResult, known: FactsFile, oldAfter = usuallyOldAfter): RunResult {
  const clauses = result.clauses.map((clause) => (clause.fact ? besideKnown(clause, clause.fact, known) : clause));
  const stale = staleIn(result, known, oldAfter);
  return { ...result, clauses, ...(stale.length > 0 ? { stale } : {}) };
}

function besideKnown(clause: ClauseResult, fact: Fact, known: FactsFile): ClauseResult {
  const was = wordsOf(known, clause.name);
  if (was === undefined) return { ...clause, fact: { ...fact, since: 'new' } };
  if (was === (fact.reading ?? fact.told)) return { ...clause, fact: { ...fact, since: 'same' } };
  const pinned = known.pinned?.[clause.name] === undefined ? {} : { pinned: true as const };
  return { ...clause, fact: { ...fact, since: 'changed', was, ...pinned } };
}

/** What is known and was not seen now: it was asked and did not show itself again, or nobody asked and it is old. What is pinned was chosen, and does not age. */
function staleIn({ clauses, startedAt }: RunResult, known: FactsFile, oldAfter: number): StaleFact[] {
  const asked = new Map(clauses.map((clause) => [clause.name, clause]));
  return namesOf(known).flatMap((name) => {
    if (known.pinned?.[name] !== undefined || asked.get(name)?.fact) return [];
    const at = seenAt(known, name);
    const isOld = at !== undefined && daysBetween(at, startedAt) > oldAfter;
    if (!asked.has(name) && !isOld) return [];
    return [
      { name, was: wordsOf(known, name) ?? '', ...(at === undefined ? {} : { at }), why: asked.has(name) ? 'not-seen' : 'old' },
    ];
  });
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
