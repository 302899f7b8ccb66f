import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { accessMutations } from './access.ts';
import { adjustmentMutations } from './adjustments.ts';
import { cardMutations } from './cards.ts';
import { deliveryMutations } from './deliveries.ts';
import { eventMutations } from './events.ts';
import { lookupMutations } from './lookups.ts';
import type { Mutation, Mutations } from './mutation.ts';

/** One way in which the mock violates a clause. */
export interface Mutant {
  /** Its clause, and its number among that clause's mutants: `adjustment.is-relative#1`. */
  readonly name: string;
  /** The clause that it violates, whose own test must report it. */
  readonly clause: ClauseName;
  readonly make: () => Mutation;
}

export function named(all: Mutations): Mutant[] {
  return Object.entries(all).flatMap(([clause, makers]) =>
    makers.map((make, index) => ({ name: `${clause}#${index + 1}`, clause: clause as ClauseName, make })),
  );
}

export const mutants: readonly Mutant[] = named({
  ...accessMutations,
  ...cardMutations,
  ...lookupMutations,
  ...adjustmentMutations,
  ...eventMutations,
  ...deliveryMutations,
});
