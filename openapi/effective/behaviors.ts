import type { JsonObject } from '../document.ts';
import { type Behaviors, defaultBehaviors } from '../generated/clauses.ts';
import contractDocument from '../generated/contract.json' with { type: 'json' };
import type { Override, SourcedOverride } from './overrides.ts';

/** The contract with the default behavior of every clause. */
export const standardDocument = contractDocument as unknown as JsonObject;

type Options = Readonly<Record<string, { readonly wire?: readonly Override[] } | null>>;

/** All clauses by name. Only open and ambiguous clauses have behaviors. */
export const questions = standardDocument['x-clauses'] as unknown as Readonly<Record<string, { readonly behaviors?: Options }>>;

/** Returns the clauses whose option is not the default. */
export function differing(behaviors: Partial<Behaviors>): readonly (keyof Behaviors)[] {
  return (Object.keys(behaviors) as (keyof Behaviors)[]).filter((clause) => behaviors[clause] !== defaultBehaviors[clause]);
}

/** Returns the overrides of all options that are not the default. */
export function optionOverrides(behaviors: Partial<Behaviors>): readonly SourcedOverride[] {
  return differing(behaviors).flatMap((clause) => {
    const option = behaviors[clause] as string;
    return (questions[clause]?.behaviors?.[option]?.wire ?? []).map((override) => ({ override, from: `${clause}: ${option}` }));
  });
}

/** Returns the overrides of the options, and then the variant's own overrides. */
export function allOverrides(behaviors: Partial<Behaviors>, own: readonly Override[]): readonly Override[] {
  return [...optionOverrides(behaviors).map(({ override }) => override), ...own];
}
