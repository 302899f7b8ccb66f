import { asObject, type JsonObject, objectsIn, operationsOf, parametersIn, resolve, schemasOf } from '../document.ts';
import { translateExamples } from './examples.ts';
import type { OverridePlan } from './plan.ts';
import { placeRefusals, placeSuccesses, refusalsOf } from './responses.ts';
import { ownCopy, patched, patchSchemas, placeProperties } from './schemas.ts';
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
  const schemas = schemasOf(document);
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

/** Applies the overrides of parameters: name, schema, and whether a parameter is required. Writes into the document. */
function placeParameters(document: JsonObject, { places, patches, needed }: OverridePlan): void {
  for (const { id, node } of operationsOf(document)) {
    if (!places.has(id) && !patches.has(id) && !needed.has(id)) continue;
    node.parameters = parametersIn(document, node).map((shared) => {
      const parameter = structuredClone(shared);
      const name = String(parameter.name);
      const patch = patches.get(id)?.get(name);
      if (patch) {
        parameter.schema = patched(ownCopy(document, parameter.schema), patch);
        if (Array.isArray(patch.examples)) parameter.example = patch.examples[0] ?? null;
      }
      parameter.required = needed.get(id)?.get(name) ?? parameter.required ?? false;
      const [place = name] = places.get(id)?.get(name) ?? [];
      if (parameter.in === 'path') renameInPath(document, node, name, place);
      return { ...parameter, name: place };
    });
    if (patches.has(id) || needed.has(id)) refuseInvalid(document, node);
  }
}

function renameInPath(document: JsonObject, operation: JsonObject, name: string, to: string): void {
  const paths = objectsIn(document.paths).map(([path, item]): [string, JsonObject] => {
    return [Object.values(item).includes(operation) ? path.replace(`{${name}}`, `{${to}}`) : path, item];
  });
  document.paths = Object.fromEntries(paths);
}

/** If the operation does not list the refusal of invalid requests, adds this refusal. */
function refuseInvalid(document: JsonObject, operation: JsonObject): void {
  const responses = asObject(operation.responses);
  const codes = Object.values(responses).flatMap((response) => refusalsOf(resolve(document, response)).here);
  if (!codes.includes('request.invalid')) responses['400'] = { $ref: '#/components/responses/QueryRefused' };
}
