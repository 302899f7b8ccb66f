import { isObject, type Json, type JsonObject, resolve } from '../document.ts';
import type { Plan } from './plan.ts';

/** Applies merge patches and required properties to the document's schemas, under the contract's own names. Writes into the document. */
export function patchSchemas(document: JsonObject, { patches, needed }: Plan): void {
  const schemas = (document.components as JsonObject).schemas as Record<string, JsonObject>;
  for (const [owner, entries] of patches) {
    const schema = schemas[owner];
    if (!schema) continue;
    for (const [name, patch] of entries) {
      if (name === '') schemas[owner] = patched(schemas[owner] as JsonObject, patch);
      else patchProperty(document, schemas[owner] as JsonObject, name, patch);
    }
  }
  for (const [owner, entries] of needed) {
    const schema = schemas[owner];
    if (!schema) continue;
    const names = new Set((schema.required ?? []) as string[]);
    for (const [name, isNeeded] of entries) isNeeded ? names.add(name) : names.delete(name);
    schema.required = [...names];
  }
}

function patchProperty(document: JsonObject, schema: JsonObject, name: string, patch: JsonObject): void {
  const properties = schema.properties as JsonObject;
  properties[name] = patched(ownCopy(document, properties[name] as JsonObject), patch);
}

/** A copy of a shared schema, so that a patch changes only one of its users. */
export function ownCopy(document: JsonObject, schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref: _, ...others } = schema;
  return { ...structuredClone(resolve(document, schema)), ...others };
}

/** A JSON merge patch (RFC 7396). */
export function patched(target: Json | undefined, patch: JsonObject): JsonObject {
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? patched(result[key], value) : value;
  }
  return result;
}

/** Moves every property to its path on the wire, in its own schema and next to references to it. Writes into the document. */
export function placeProperties(document: JsonObject, { places }: Plan): void {
  const schemas = (document.components as JsonObject).schemas as Record<string, JsonObject>;
  const moveNextToReferences = (node: Json): void => {
    if (Array.isArray(node)) for (const each of node) moveNextToReferences(each);
    if (!isObject(node)) return;
    if (Array.isArray(node.allOf)) {
      const named = node.allOf
        .map((part) => (isObject(part) ? schemaName(part.$ref) : undefined))
        .find((name) => name && places.has(name));
      const moved = named === undefined ? undefined : places.get(named);
      if (moved) node.allOf = node.allOf.map((part) => (isObject(part) && part.properties ? placed(part, moved) : part));
    }
    for (const value of Object.values(node)) moveNextToReferences(value);
  };
  moveNextToReferences(document.paths as Json);
  moveNextToReferences((document.webhooks ?? {}) as Json);
  for (const [owner, moved] of places) {
    const schema = schemas[owner];
    if (schema) schemas[owner] = placed(schema, moved);
  }
}

/** The name of the component schema that a reference leads to. */
export function schemaName(ref: Json | undefined): string | undefined {
  const prefix = '#/components/schemas/';
  return typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
}

type Moved = ReadonlyMap<string, readonly string[]>;

function placed(schema: JsonObject, moved: Moved): JsonObject {
  const required = new Set((schema.required ?? []) as string[]);
  const root: JsonObject = {};
  const needed: string[] = [];
  const groups = new Map<string, JsonObject>();
  for (const [name, property] of Object.entries(schema.properties as JsonObject)) {
    const steps = moved.get(name) ?? [name];
    const last = steps.at(-1) as string;
    const parents = steps.slice(0, -1);
    let into = root;
    let lacks = needed;
    parents.forEach((step, depth) => {
      const path = parents.slice(0, depth + 1).join('.');
      let group = groups.get(path);
      if (!group) {
        group = { type: 'object', required: [], properties: {} };
        groups.set(path, group);
        into[step] = group;
      }
      if (required.has(name) && !lacks.includes(step)) lacks.push(step);
      into = group.properties as JsonObject;
      lacks = group.required as string[];
    });
    into[last] = property;
    if (required.has(name)) lacks.push(last);
  }
  // An object without required properties can be null.
  for (const group of groups.values())
    if ((group.required as string[]).length === 0) Object.assign(group, { type: ['object', 'null'] });
  const whole: JsonObject = { ...schema, properties: root };
  if (schema.required !== undefined) whole.required = needed;
  return whole;
}
