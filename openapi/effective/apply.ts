import { isObject, type JsonObject } from '../document.ts';
import { placeRefusals, placeSuccesses } from './answers.ts';
import { renameInDescriptions } from './descriptions.ts';
import { translateExamples } from './examples.ts';
import { placeParameters } from './parameters.ts';
import type { Plan } from './plan.ts';
import { patchSchemas, placeProperties } from './schemas.ts';
import { Translator } from './translate.ts';

/**
 * Applies a plan to a copy of the document. `effective` is the contract with all overrides. `patched` has the new schemas under the contract's own
 * names; translators are made from it.
 */
export function applyPlan(document: JsonObject, plan: Plan): { readonly effective: JsonObject; readonly patched: JsonObject } {
  const { 'x-clauses': clauses, ...wire } = document; // Most of the document, and no override changes it.
  const patched = structuredClone(wire);
  patchSchemas(patched, plan);
  const effective = structuredClone(patched);
  translateExamples(effective, plan, new Translator(patched, plan));
  placeProperties(effective, plan);
  placeParameters(effective, plan);
  renameInDescriptions(effective, plan);
  placeSuccesses(effective, plan);
  placeRefusals(effective, plan);
  withoutUnused(effective, wire);
  return { effective: clauses === undefined ? effective : { ...effective, 'x-clauses': clauses }, patched };
}

/** Removes shared components that are not referenced any more. */
function withoutUnused(effective: JsonObject, before: JsonObject): void {
  const components = effective.components as Record<string, JsonObject>;
  const wasUsed = refsIn(before);
  // Responses first: they refer to the others.
  for (const section of ['responses', 'parameters', 'examples']) {
    const entries = components[section];
    if (!entries) continue;
    const used = refsIn(effective);
    for (const name of Object.keys(entries)) {
      const ref = `#/components/${section}/${name}`;
      if (!used.has(ref) && wasUsed.has(ref)) delete entries[name];
    }
    if (Object.keys(entries).length === 0) delete components[section];
  }
}

function refsIn(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const each of node) refsIn(each, found);
  else if (isObject(node)) {
    if (typeof node.$ref === 'string') found.add(node.$ref);
    for (const each of Object.values(node)) refsIn(each, found);
  }
  return found;
}
