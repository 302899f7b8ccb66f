import type { JsonObject } from '../document.ts';
import contractDocument from '../generated/contract.json' with { type: 'json' };
import { type Behaviors, defaultBehaviors } from '../generated/rules.ts';
import type { Override, SourcedOverride } from './overrides.ts';

/** The contract with the default behavior of every rule. */
export const standardDocument = contractDocument as unknown as JsonObject;

type Options = Readonly<Record<string, { readonly wire?: readonly Override[] } | null>>;

/** All rules by name. Only questions have behaviors. */
export const questions = standardDocument['x-rules'] as unknown as Readonly<Record<string, { readonly behaviors?: Options }>>;

/** Returns the rules whose option is not the default. */
export function differing(behaviors: Partial<Behaviors>): readonly (keyof Behaviors)[] {
  return (Object.keys(behaviors) as (keyof Behaviors)[]).filter((rule) => behaviors[rule] !== defaultBehaviors[rule]);
}

/** Returns the overrides of all options that are not the default. */
export function optionOverrides(behaviors: Partial<Behaviors>): readonly SourcedOverride[] {
  return differing(behaviors).flatMap((rule) => {
    const option = behaviors[rule] as string;
    return (questions[rule]?.behaviors?.[option]?.wire ?? []).map((override) => ({ override, from: `${rule}: ${option}` }));
  });
}

/** Returns the overrides of the options, and then the variant's own overrides. */
export function allOverrides(behaviors: Partial<Behaviors>, own: readonly Override[]): readonly Override[] {
  return [...optionOverrides(behaviors).map(({ override }) => override), ...own];
}
