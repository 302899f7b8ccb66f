import type { ClauseName } from '../openapi/generated/clauses.ts';
import type { Need, Profile } from './target.ts';
import type { Trial } from './trial.ts';

/** What a check's declared needs become: entries of the profile that are surely there. */
export type Supplied<N extends Need> = Required<Pick<Profile, N>>;

export interface Check {
  name: ClauseName;
  needs: readonly Need[];
  run(trial: Trial, supplied: Profile): Promise<void>;
}

const written = new Map<ClauseName, Check>();

/**
 * Declares the one test of a clause. A name that the contract does not know does not compile, and a repeated one throws,
 * so that a clause is judged in one place only.
 */
export function clause<N extends Need>(
  name: ClauseName,
  needs: readonly N[],
  run: (trial: Trial, supplied: Supplied<N>) => Promise<void>,
): void {
  if (written.has(name)) throw new Error(`The clause "${name}" already has a test. Give the two statements names of their own.`);
  written.set(name, { name, needs, run: (trial, supplied) => run(trial, supplied as Supplied<N>) });
}

/** The declared checks, in the order of their declaration. */
export function checks(): readonly Check[] {
  return [...written.values()];
}
