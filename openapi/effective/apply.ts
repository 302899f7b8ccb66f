import { isObject, type JsonObject } from '../document.ts';
import { placeRefusals, placeSuccesses } from './answers.ts';
import { tellNames } from './descriptions.ts';
import { tellExamples } from './examples.ts';
import { placeParameters } from './parameters.ts';
import type { Plan } from './plan.ts';
import { patchSchemas, placeProperties } from './schemas.ts';
import { Translator } from './translate.ts';

/**
 * The effective contract: the document as a deployment speaks it, whose wire differs by the plan's rows; together with the document in between, patched
 * already but with the contract's own names, which translators are made from. The document that is given stays as it is.
 */
export function applyPlan(document: JsonObject, plan: Plan): { readonly effective: JsonObject; readonly patched: JsonObject } {
  const { 'x-clauses': clauses, ...wire } = document; // which no row changes, and which is most of the document
  const patched = structuredClone(wire);
  patchSchemas(patched, plan);
  const effective = structuredClone(patched);
  tellExamples(effective, plan, new Translator(patched, plan));
  placeProperties(effective, plan);
  placeParameters(effective, plan);
  tellNames(effective, plan);
  placeSuccesses(effective, plan);
  placeRefusals(effective, plan);
  withoutUnused(effective, wire);
  return { effective: clauses === undefined ? effective : { ...effective, 'x-clauses': clauses }, patched };
}

/** Takes away what was shared and is not any more. */
function withoutUnused(effective: JsonObject, before: JsonObject): void {
  const components = effective.components as Record<string, JsonObject>;
  const wasUsed = refsIn(before);
  // What a response refers to goes after the response.
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
