import { asObject, isObject, type Json, type JsonObject, listIn, objectsIn, resolve, schemasOf } from '../document.ts';
import type { OverridePlan } from './plan.ts';

/** Applies merge patches to the document's schemas, and makes properties required or optional. Names do not change. Writes into the document. */
export function patchSchemas(document: JsonObject, { patches, needed }: OverridePlan): void {
  const schemas = schemasOf(document);
  for (const [owner, before] of objectsIn(schemas)) {
    let schema = before;
    for (const [name, patch] of patches.get(owner) ?? []) {
      if (name === '') schema = patched(schema, patch);
      else {
        const properties = asObject(schema.properties);
        properties[name] = patched(ownCopy(document, properties[name]), patch);
      }
    }
    const names = new Set(listIn(schema.required));
    for (const [name, isNeeded] of needed.get(owner) ?? []) isNeeded ? names.add(name) : names.delete(name);
    schemas[owner] = needed.has(owner) ? { ...schema, required: [...names] } : schema;
  }
}

/** Returns a copy of a referenced schema, so that a patch changes the schema at one place only. */
export function ownCopy(document: JsonObject, schema: Json | undefined): Json | undefined {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
  const { $ref: _, ...others } = schema;
  return { ...structuredClone(resolve(document, schema)), ...others };
}

/** Applies a JSON merge patch (RFC 7396). */
export function patched(target: Json | undefined, patch: JsonObject): JsonObject {
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? patched(result[key], value) : value;
  }
  return result;
}

/** Moves every property to its path on the wire: in its own schema, and in an allOf that extends this schema. Writes into the document. */
export function placeProperties(document: JsonObject, { places }: OverridePlan): void {
  const schemas = schemasOf(document);
  const moveNextToReferences = (node: Json | undefined): void => {
    if (Array.isArray(node)) for (const each of node) moveNextToReferences(each);
    if (!isObject(node)) return;
    if (Array.isArray(node.allOf)) {
      const moved = node.allOf.flatMap((part) => (isObject(part) && places.get(schemaName(part.$ref) ?? '')) || [])[0];
      if (moved) node.allOf = node.allOf.map((part) => (isObject(part) && part.properties ? placed(part, moved) : part));
    }
    for (const value of Object.values(node)) moveNextToReferences(value);
  };
  moveNextToReferences(document.paths);
  moveNextToReferences(document.webhooks);
  for (const [owner, moved] of places) {
    const schema = schemas[owner];
    if (isObject(schema)) schemas[owner] = placed(schema, moved);
  }
}

/** Returns the name of the component schema that a reference leads to. */
export function schemaName(ref: Json | undefined): string | undefined {
  const prefix = '#/components/schemas/';
  return typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

/** A property with its path on the wire, relative to the object that is being built. */
interface PlacedProperty {
  readonly steps: readonly string[];
  readonly property: Json;
  readonly isRequired: boolean;
}

function placed(schema: JsonObject, moved: ReadonlyMap<string, readonly string[]>): JsonObject {
  const required = listIn(schema.required);
  const members = Object.entries(asObject(schema.properties)).map(([name, property]) => {
    return { steps: moved.get(name) ?? [name], property, isRequired: required.includes(name) };
  });
  const { required: needed, properties } = objectOf(members);
  return { ...schema, properties, ...(schema.required === undefined ? {} : { required: needed }) };
}

/** Builds an object schema with its inner objects. An inner object without required properties can be null. */
function objectOf(members: readonly PlacedProperty[]) {
  const groups = new Map<string, PlacedProperty[]>();
  for (const {
    steps: [step = '', ...steps],
    ...member
  } of members)
    groups.set(step, [...(groups.get(step) ?? []), { ...member, steps }]);
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const [step, inside] of groups) {
    const isNeeded = inside.some(({ isRequired }) => isRequired);
    if (isNeeded) required.push(step);
    const last = inside.find(({ steps }) => steps.length === 0);
    properties[step] = last ? last.property : { type: isNeeded ? 'object' : ['object', 'null'], ...objectOf(inside) };
  }
  return { required, properties };
}
