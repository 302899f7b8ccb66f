import { type JsonObject, operationsOf, resolve } from '../document.ts';
import type { OverridePlan } from './plan.ts';
import { refusalsOf } from './responses.ts';
import { ownCopy, patched } from './schemas.ts';

/** Applies the overrides of parameters: name, schema, and whether a parameter is required. Writes into the document. */
export function placeParameters(document: JsonObject, { places, patches, needed }: OverridePlan): void {
  for (const { id, node } of operationsOf(document)) {
    if (!places.has(id) && !patches.has(id) && !needed.has(id)) continue;
    node.parameters = ((node.parameters ?? []) as JsonObject[]).map((shared) => {
      const parameter = structuredClone(resolve(document, shared));
      const name = String(parameter.name);
      const patch = patches.get(id)?.get(name);
      if (patch) {
        parameter.schema = patched(ownCopy(document, parameter.schema as JsonObject), patch);
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
  const paths = Object.entries(document.paths as Record<string, JsonObject>).map(([path, item]) => [
    Object.values(item).includes(operation) ? path.replace(`{${name}}`, `{${to}}`) : path,
    item,
  ]);
  document.paths = Object.fromEntries(paths) as JsonObject;
}

/** If the operation does not list the refusal of invalid requests, adds this refusal. */
function refuseInvalid(document: JsonObject, operation: JsonObject): void {
  const responses = operation.responses as JsonObject;
  const codes = Object.values(responses).flatMap((response) => refusalsOf(resolve(document, response)).here);
  if (!codes.includes('request.invalid')) responses['400'] = { $ref: '#/components/responses/QueryRefused' };
}
