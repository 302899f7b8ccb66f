import { isObject, type Json, type JsonObject } from '../../openapi/document.ts';
import { validatorFiles } from './compile.ts';
import { schemaOfType } from './schema-of-type.ts';

/** Returns the generated files of mock/store/snapshot: validators for snapshots. The validators also remove unknown properties. */
export async function snapshotFiles(folder: string): Promise<Record<string, string>> {
  const schemaOptions = { open: false, definitions: true, strings: ['RuleName', 'ReasonName'] };
  const { $schema: _, $defs, ...sandbox } = schemaOfType('mock/store/snapshot/capture.ts', 'SandboxSnapshot', schemaOptions);
  const definitions = { ...($defs as JsonObject), SandboxSnapshot: sandbox };
  const compiled = Object.entries(definitions).map(([name, schema]) => [name, withDefaults(compilable(schema, definitions))]);
  const schema = { $id: 'snapshot', $defs: Object.fromEntries(compiled) };
  const exports = { validateSandbox: 'snapshot#/$defs/SandboxSnapshot', validateAccount: 'snapshot#/$defs/AccountSnapshot' };
  const options = { strictTuples: false, discriminator: true, removeAdditional: true, useDefaults: true };
  return validatorFiles('validate-snapshot', { from: 'the types of mock/store/snapshot', schema, exports, options, folder });
}

/** Prepares a definition for Ajv: removes descriptions and rewrites unions. A number without the tag `@fraction` becomes an integer. */
function compilable(definition: Json, definitions: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(definition), (key, node) => {
    if (!isObject(node)) return key === 'description' && typeof node === 'string' ? undefined : node;
    const { fraction, ...schema } = node;
    const integer = (type: Json) => (type === 'number' && fraction !== true ? 'integer' : type);
    if (typeof schema.type === 'string') schema.type = integer(schema.type);
    if (Array.isArray(schema.type)) schema.type = schema.type.map(integer);
    if (schema.type === 'array' && Array.isArray(schema.items)) return { ...schema, prefixItems: schema.items, items: false };
    return Array.isArray(schema.anyOf) ? { ...schema, ...unionOf(schema.anyOf as JsonObject[], definitions) } : schema;
  });
}

/** Adds defaults for properties that a snapshot does not have, because a type got a property after it was taken: null for a nullable property, [] for an array. */
function withDefaults(definition: JsonObject): JsonObject {
  const isNull = (schema: Json) => isObject(schema) && [schema.type].flat().includes('null');
  const required = (definition.required ?? []) as string[];
  const properties = Object.entries((definition.properties ?? {}) as Record<string, JsonObject>).map(([name, schema]) => {
    if (!required.includes(name)) return [name, schema];
    if (isNull(schema) || ((schema.anyOf ?? []) as Json[]).some(isNull)) return [name, { ...schema, default: null }];
    return [name, schema.type === 'array' ? { ...schema, default: [] } : schema];
  });
  return definition.properties === undefined ? definition : { ...definition, properties: Object.fromEntries(properties) };
}

/**
 * Rewrites a union of objects. In a plain union, Ajv tries all branches, and each branch removes properties of the other branches. If a property has
 * a constant value in each branch, it is the discriminator: Ajv tries only the right branch. Otherwise, one schema gets all properties.
 */
function unionOf(branches: JsonObject[], definitions: JsonObject): JsonObject {
  const whole = (branch: JsonObject) =>
    (typeof branch.$ref === 'string' ? definitions[branch.$ref.replace('#/$defs/', '')] : branch) as JsonObject;
  const isPlain = (branch: JsonObject) => isObject(whole(branch).properties);
  const objects = branches.filter(isPlain);
  if (objects.length < 2) return { anyOf: branches };
  const properties = objects.map((branch) => whole(branch).properties as Record<string, JsonObject>);
  const [first = {}] = properties;
  const tag = Object.keys(first).find((name) => properties.every((each) => each[name]?.const !== undefined || each[name]?.enum));
  const one: JsonObject =
    tag === undefined
      ? {
          type: 'object',
          properties: Object.assign({}, ...properties),
          additionalProperties: false,
          anyOf: objects.map((branch) => ({ required: whole(branch).required as Json })),
        }
      : { type: 'object', discriminator: { propertyName: tag }, required: [tag], oneOf: objects };
  const others = branches.filter((branch) => !isPlain(branch));
  return others.length === 0 ? { anyOf: [one] } : { anyOf: [one, ...others] };
}
