import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { accessMutations } from './access.ts';
import { adjustmentMutations } from './adjustments.ts';
import { cardMutations } from './cards.ts';
import { deliveryMutations } from './deliveries.ts';
import { eventMutations } from './events.ts';
import { lookupMutations } from './lookups.ts';
import type { Mutation, Mutations } from './mutation.ts';

/** A change of the mock that violates a clause. */
export interface Mutant {
  /** The clause and a number, from 1: `adjustment.is-relative#1`. */
  readonly name: string;
  /** The violated clause. The test of the clause must report the violation. */
  readonly clause: ClauseName;
  readonly make: () => Mutation;
}

export function named(all: Mutations): Mutant[] {
  return Object.entries(all).flatMap(([clause, makers]) =>
    [makers].flat().map((make, index) => ({ name: `${clause}#${index + 1}`, clause: clause as ClauseName, make })),
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
