import type { JsonObject } from '../document.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import contractDocument from '../generated/contract.json' with { type: 'json' };
import type { Override, SourcedOverride } from './overrides.ts';

/** The contract as it is written. */
export const standardDocument = contractDocument as unknown as JsonObject;

/** All clauses; those that ask something have behaviors, and behaviors that change the wire have rows. */
export const questions = standardDocument['x-clauses'] as unknown as Readonly<
  Record<string, { readonly behaviors?: Readonly<Record<string, { readonly wire?: readonly Override[] } | null>> }>
>;

/** The clauses of which another reading than the default is taken. */
export function differing(behaviors: Partial<Behaviors>): readonly (keyof Behaviors)[] {
  return (Object.keys(behaviors) as (keyof Behaviors)[]).filter((clause) => behaviors[clause] !== defaultBehaviors[clause]);
}

/** The rows of all behaviors that are not as the contract is written, with the reading that each comes from. */
export function rowsOf(behaviors: Partial<Behaviors>): readonly SourcedOverride[] {
  return differing(behaviors).flatMap((clause) => {
    const reading = behaviors[clause] as string;
    const rows = questions[clause]?.behaviors?.[reading]?.wire ?? [];
    return rows.map((row) => ({ row, from: `${clause}: ${reading}` }));
  });
}
