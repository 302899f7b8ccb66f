import type { JsonObject } from '../document.ts';
import contractDocument from '../generated/contract.json' with { type: 'json' };
import { type Behaviors, defaultBehaviors } from '../generated/rules.ts';
import type { Override, SourcedOverride } from './overrides.ts';

/** The contract with the default behavior for every question. */
export const standardDocument = contractDocument as unknown as JsonObject;

type Options = Readonly<Record<string, { readonly wire?: readonly Override[] } | null>>;

/** All rules and questions by name. Only questions have behaviors. */
export const ruleTable = standardDocument['x-rules'] as unknown as Readonly<Record<string, { readonly behaviors?: Options }>>;

/** Returns the questions whose behavior is not the default. */
export function differing(behaviors: Partial<Behaviors>): readonly (keyof Behaviors)[] {
  return (Object.keys(behaviors) as (keyof Behaviors)[]).filter((name) => behaviors[name] !== defaultBehaviors[name]);
}

/** Returns the overrides of all options that are not the default. */
export function optionOverrides(behaviors: Partial<Behaviors>): readonly SourcedOverride[] {
  return differing(behaviors).flatMap((name) => {
    const option = behaviors[name] as string;
    return (ruleTable[name]?.behaviors?.[option]?.wire ?? []).map((override) => ({ override, from: `${name}: ${option}` }));
  });
}

/** Returns the overrides of the options, and then the variant's own overrides. */
export function allOverrides(behaviors: Partial<Behaviors>, own: readonly Override[]): readonly Override[] {
  return [...optionOverrides(behaviors).map(({ override }) => override), ...own];
}
