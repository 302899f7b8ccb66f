import type { Ajv2020 } from 'ajv/dist/2020.js';
import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf, resolve, successOf } from '../document.ts';
import { formats } from '../formats.ts';
import type { Validate } from '../generated/validators.js';

/** JSON Schemas by table and by name. Their references name schemas of the document. */
export interface Tables {
  readonly [table: string]: Record<string, Json>;
  /** Request bodies, by operation. */
  readonly bodies: Record<string, Json>;
  /** Path and query values in one flat object, by operation. */
  readonly parameters: Record<string, Json>;
  readonly schemas: Record<string, Json>;
}

/** Collects the schemas of a document that need a validator. */
export function tablesOf(document: JsonObject): Tables & { readonly responses: Record<string, Json> } {
  const schemas = (document.components as JsonObject).schemas as Record<string, Json>;
  const bodies: Record<string, Json> = {};
  const parameters: Record<string, Json> = {};
  /** Bodies of 2xx responses. */
  const responses: Record<string, Json> = {};
  for (const { id, node } of operationsOf(document)) {
    const body = bodySchemaOf(document, node.requestBody);
    if (body !== undefined) bodies[id] = body;
    parameters[id] = parametersOf(document, node);
    const response = bodySchemaOf(document, successOf(node)[1]);
    if (response !== undefined) responses[id] = response;
  }
  return { bodies, parameters, responses, schemas };
}

/** The tables of the service's contract. `replies` are its responses, but any value passes for a gift card inside. */
export function contractTables(contract: JsonObject): Tables {
  const tables = tablesOf(contract);
  const replies = Object.entries(tables.responses).map(([id, schema]) => [id, withoutCards(contract, schema)]);
  return { ...tables, replies: Object.fromEntries(replies) };
}

function parametersOf(document: JsonObject, operation: JsonObject): Json {
  const parameters = ((operation.parameters ?? []) as Json[])
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
  return {
    type: 'object',
    required: parameters.filter((parameter) => parameter.required === true).map((parameter) => String(parameter.name)),
    properties: Object.fromEntries(parameters.map((parameter) => [String(parameter.name), parameter.schema ?? true])),
  };
}

const card = '#/components/schemas/GiftCard';

/** The mock checks a card when it writes it, not each time that a reply contains it. */
function withoutCards(contract: JsonObject, node: Json): Json {
  if (Array.isArray(node)) return node.map((item) => withoutCards(contract, item));
  if (!isObject(node)) return node;
  if (node.$ref === card) return {};
  if (typeof node.$ref === 'string') {
    const target = resolve(contract, node);
    return JSON.stringify(target).includes(card) ? withoutCards(contract, target) : node;
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutCards(contract, value)]));
}

const annotations = new Set(['description', 'title', 'examples', 'default']);

/** A schema for Ajv: references lead to the definitions, and keywords that only people read are left out. */
export function toDefinition(schema: Json): unknown {
  if (Array.isArray(schema)) return schema.map(toDefinition);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword) && !keyword.startsWith('x-'));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === '$ref') return [keyword, String(value).replace('#/components/schemas/', 'contract#/$defs/schemas.')];
      if (keyword === 'enum' || keyword === 'const') return [keyword, value];
      if (keyword !== 'properties') return [keyword, toDefinition(value)];
      return [
        keyword,
        Object.fromEntries(Object.entries(value as JsonObject).map(([name, property]) => [name, toDefinition(property)])),
      ];
    }),
  );
}

export type AjvClass = typeof Ajv2020;

/** Returns a function that compiles the validator of a table's entry. */
export function compilerOf(
  tables: Readonly<Record<string, Record<string, Json>>>,
  Ajv: AjvClass,
): (table: string, name: string) => Validate {
  const definitions = Object.entries(tables).flatMap(([table, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => [`${table}.${name}`, toDefinition(schema)] as const),
  );
  const ajv = new Ajv({
    // For errors.every-rejection-plain-text: json.
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: false,
    formats,
    // The overrides have been checked. To check the whole document again would take longer than everything else.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  });
  ajv.addSchema({ $id: 'contract', $defs: Object.fromEntries(definitions) });
  return (table, name) => ajv.getSchema(`contract#/$defs/${table}.${name}`) as Validate;
}
