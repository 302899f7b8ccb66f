import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../document.ts';
import { bodySchemaOf, isObject, operationsOf, parametersIn, resolve, responseSchemaOf, schemasOf } from '../document.ts';
import { formats } from '../formats.ts';
import type { Validate } from '../generated/validators.js';

/** JSON Schemas by table and by name. A `$ref` names a schema of the document. */
export interface SchemaTables {
  readonly [table: string]: Record<string, Json>;
  /** Schemas of request bodies, by operation. */
  readonly bodies: Record<string, Json>;
  /** Path and query values in one flat object, by operation. */
  readonly parameters: Record<string, Json>;
  readonly schemas: Record<string, Json>;
}

/** Collects the schemas of a document that need a validator. */
export function validatorSchemas(document: JsonObject): SchemaTables & { readonly responses: Record<string, Json> } {
  const schemas = schemasOf(document);
  const bodies: Record<string, Json> = {};
  const parameters: Record<string, Json> = {};
  const responses: Record<string, Json> = {};
  for (const { id, node } of operationsOf(document)) {
    const body = bodySchemaOf(document, node.requestBody);
    if (body !== undefined) bodies[id] = body;
    parameters[id] = parameterSchema(document, node);
    const response = responseSchemaOf(document, node);
    if (response !== undefined) responses[id] = response;
  }
  return { bodies, parameters, responses, schemas };
}

/** Collects the schemas of the service's contract. `responses` has the schemas of the responses, in which a gift card may be any value. */
export function contractTables(contract: JsonObject): SchemaTables {
  const { responses, ...tables } = validatorSchemas(contract);
  const ofOperations = Object.entries(responses).map(([id, schema]) => [id, withoutCards(contract, schema)]);
  return { ...tables, responses: Object.fromEntries(ofOperations) };
}

function parameterSchema(document: JsonObject, operation: JsonObject): Json {
  const parameters = parametersIn(document, operation).filter((each) => each.in === 'path' || each.in === 'query');
  return {
    type: 'object',
    required: parameters.filter((parameter) => parameter.required === true).map((parameter) => String(parameter.name)),
    properties: Object.fromEntries(parameters.map((parameter) => [String(parameter.name), parameter.schema ?? true])),
  };
}

const card = '#/components/schemas/GiftCard';

/** Allows any value in place of a gift card. The mock checks a card when it writes the card, not in each response. */
function withoutCards(contract: JsonObject, schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (_, node) => {
    if (typeof node?.$ref !== 'string') return node;
    if (node.$ref === card) return {};
    const target = resolve(contract, node);
    return JSON.stringify(target).includes(card) ? withoutCards(contract, target) : node;
  });
}

const annotations = new Set(['description', 'title', 'examples', 'default']);

/** Returns a schema for Ajv. References point to the definitions. Keywords for people, such as descriptions, are left out. */
export function toDefinition(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === '$ref') return value.replace('#/components/schemas/', 'contract#/$defs/schemas.');
    // A property of the contract may be called `description`. Its value is a schema, so it is an object, and is kept.
    return key.startsWith('x-') || (annotations.has(key) && !isObject(value)) ? undefined : value;
  });
}

/** Returns a function that compiles the validator of an entry of the tables. */
export function compilerOf(
  tables: Readonly<Record<string, Record<string, Json>>>,
  Ajv: typeof Ajv2020,
): (table: string, name: string) => Validate {
  const definitions = Object.entries(tables).flatMap(([table, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => [`${table}.${name}`, toDefinition(schema)] as const),
  );
  const ajv = new Ajv({
    // With the option `json` of errors.every-rejection-plain-text, a response lists all errors.
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: false,
    formats,
    // The overrides are already checked. A check of the whole document would take longer than all other steps.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  });
  ajv.addSchema({ $id: 'contract', $defs: Object.fromEntries(definitions) });
  return (table, name) => ajv.getSchema(`contract#/$defs/${table}.${name}`) as Validate;
}
