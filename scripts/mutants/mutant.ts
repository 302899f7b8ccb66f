import type { ClauseName } from '../../openapi/generated/clauses.ts';

/** One deliberate break of the mock: the text to find, once, in one of its files, and what stands there instead. */
export interface Mutant {
  /** The clause that it violates, whose own test must notice. */
  clause: ClauseName;
  file: string;
  find: string;
  replace: string;
}

/** A mutant with the name that it is asked for by: its clause, and the how manieth of that clause's mutants it is. */
export interface NamedMutant extends Mutant {
  readonly name: string;
}

export const mutant = (clause: ClauseName, file: string, find: string, replace: string): Mutant => ({
  clause,
  file,
  find,
  replace,
});

/** Names that stay the same as long as a further mutant of a clause stands behind those that are there. */
export function named(mutants: readonly Mutant[]): NamedMutant[] {
  const counts = new Map<ClauseName, number>();
  return mutants.map((each) => {
    const number = (counts.get(each.clause) ?? 0) + 1;
    counts.set(each.clause, number);
    return { ...each, name: `${each.clause}#${number}` };
  });
}

/** Accounts that share their records. */
export const oneState: [find: string, replace: string] = [
  'readonly state = new State();',
  'static readonly all = new State(); readonly state = Account.all;',
];

/** True of a value that was asked about before, on whichever account. */
export const usedAnywhere = (value: string): string =>
  `(((globalThis as any).everUsed ??= new Set()).has(${value}) || !(globalThis as any).everUsed.add(${value}))`;
