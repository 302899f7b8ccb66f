import { isObject, type Json, type JsonObject } from '../../openapi/document.ts';
import { compiledModule, declaredModule } from './compile.ts';
import { schemaOfType } from './schema-of-type.ts';

const FROM = 'the types of mock/snapshot';

/** The generated files of mock/snapshot: validators of the snapshot types, which remove properties that the types do not have. */
export async function snapshotFiles(folder: string): Promise<Record<string, string>> {
  const {
    $schema: _,
    $defs,
    ...sandbox
  } = schemaOfType('mock/snapshot/capture.ts', 'SandboxSnapshot', {
    open: false,
    definitions: true,
    strings: ['ClauseName', 'RuleName'],
  });
  const definitions = $defs as JsonObject;
  const compiled = Object.entries({ ...definitions, SandboxSnapshot: sandbox }).map(([name, definition]) => [
    name,
    withDefaults(compilable(definition, definitions) as JsonObject),
  ]);
  const schema = { $id: 'snapshot', $defs: Object.fromEntries(compiled) };
  const exports = {
    validateSandbox: 'snapshot#/$defs/SandboxSnapshot',
    validateAccount: 'snapshot#/$defs/AccountSnapshot',
  };
  const options = { strictTuples: false, discriminator: true, removeAdditional: true, useDefaults: true };
  return {
    'validate-snapshot.js': await compiledModule({ from: FROM, schema, exports, options, folder }),
    'validate-snapshot.d.ts': declaredModule(FROM, validatorTypes),
  };
}

const validatorTypes = `/** Validates a snapshot and removes properties that its type does not have. */
export const validateSandbox: Validate;
/** The same for the snapshot of one account. */
export const validateAccount: Validate;
`;

/** Without descriptions; with numbers as integers unless tagged; with unions that additional properties can be removed from. */
function compilable(node: Json, definitions: JsonObject): Json {
  if (Array.isArray(node)) return node.map((each) => compilable(each, definitions));
  if (!isObject(node)) return node;
  const { description, fraction, ...rest } = node;
  const kept = Object.entries(typeof description === 'string' ? rest : node).map(([key, value]) => [
    key,
    compilable(value, definitions),
  ]);
  const schema = Object.fromEntries(kept) as JsonObject;
  if (fraction !== true && schema.type === 'number') schema.type = 'integer';
  if (Array.isArray(schema.type)) schema.type = schema.type.map((type) => (type === 'number' ? 'integer' : type));
  if (schema.type === 'array' && Array.isArray(schema.items)) return { ...schema, prefixItems: schema.items, items: false };
  return Array.isArray(schema.anyOf) ? { ...schema, ...unionOf(schema.anyOf as JsonObject[], definitions) } : schema;
}

/** An older snapshot does not have newer properties: one that may be null is null, and an array is empty. */
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

/** Ajv would remove properties for a branch that does not match. It selects the branch by a discriminator; without one, the objects become one object. */
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
