import { type JsonObject, operationsOf } from '../document.ts';
import { translateExamples } from './examples.ts';
import { placeParameters } from './parameters.ts';
import type { OverridePlan } from './plan.ts';
import { placeRefusals, placeSuccesses } from './responses.ts';
import { patchSchemas, placeProperties } from './schemas.ts';
import { Translator } from './translate.ts';

/**
 * Applies a plan to a copy of the document. `effective` is the contract with all overrides. `patched` has the changed schemas, but the
 * contract's own names. Translators use `patched`.
 */
export function applyPlan(
  document: JsonObject,
  plan: OverridePlan,
): { readonly effective: JsonObject; readonly patched: JsonObject } {
  // Most of the document is rules. No override changes a rule, so rules are not copied.
  const { 'x-rules': rules, ...wire } = document;
  const patched = structuredClone(wire);
  patchSchemas(patched, plan);
  const effective = structuredClone(patched);
  translateExamples(effective, plan, new Translator(patched, plan));
  placeProperties(effective, plan);
  placeParameters(effective, plan);
  renameInDescriptions(effective, plan);
  placeSuccesses(effective, plan);
  placeRefusals(effective, plan);
  return { effective: rules === undefined ? effective : { ...effective, 'x-rules': rules }, patched };
}

/** Renames properties and parameters in backticks in all descriptions. Writes into the document. */
function renameInDescriptions(document: JsonObject, { places }: OverridePlan): void {
  const schemas = (document.components as JsonObject).schemas as Record<string, JsonObject>;
  for (const [owner, moved] of places) {
    const node = schemas[owner] ?? operationsOf(document).find(({ id }) => id === owner)?.node ?? {};
    const renamed = (text: string) =>
      text.replaceAll(/`(\w+)`/g, (whole, name: string) => (moved.has(name) ? `\`${moved.get(name)?.join('.')}\`` : whole));
    const isDescription = (key: string, value: unknown) => key === 'description' && typeof value === 'string';
    Object.assign(
      node,
      JSON.parse(JSON.stringify(node), (key, value) => (isDescription(key, value) ? renamed(value) : value)),
    );
  }
}
