import { type JsonObject, operationsOf, resolve } from '../document.ts';
import type { Plan } from './plan.ts';
import { ownCopy, patched } from './schemas.ts';

/**
 * Gives every parameter its name and schema, and whether it is required. If a request can be invalid only because of that, adds the refusal to the
 * operation. Writes into the document.
 */
export function placeParameters(document: JsonObject, { places, patches, needed }: Plan): void {
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
      const isNeeded = needed.get(id)?.get(name);
      if (isNeeded !== undefined) parameter.required = isNeeded;
      const [place] = places.get(id)?.get(name) ?? [];
      if (place !== undefined) {
        if (parameter.in === 'path') renameInPath(document, node, name, place);
        parameter.name = place;
      }
      return parameter;
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

function refuseInvalid(document: JsonObject, operation: JsonObject): void {
  const responses = operation.responses as JsonObject;
  const refusing = Object.values(responses).flatMap((response) => (resolve(document, response)['x-refusals'] ?? []) as string[]);
  if (!refusing.includes('request.invalid')) responses['400'] = { $ref: '#/components/responses/QueryRefused' };
}
