import type { Ajv2020 } from 'ajv/dist/2020.js';
import { bodySchemaOf, isObject, type Json, type JsonObject, operationsOf, resolve, successOf } from '../document.ts';
import { formats } from '../formats.ts';
import type { Validate } from '../generated/validators.js';

/** What validators are made of, ahead and at run time alike. */

/** Schemas by table and by name, whose references lead into the document. */
export type Tables = Record<'bodies' | 'parameters' | 'responses' | 'replies' | 'schemas', Record<string, Json>>;

/** Everything that has a schema of its own, and so a validator. */
export function tablesOf(contract: JsonObject): Tables {
  const schemas = (contract.components as JsonObject).schemas as Record<string, Json>;
  const tables: Tables = { bodies: {}, parameters: {}, responses: {}, replies: {}, schemas: { ...schemas } };
  for (const { id, node } of operationsOf(contract)) {
    const body = bodySchemaOf(contract, node.requestBody);
    if (body !== undefined) tables.bodies[id] = body;
    tables.parameters[id] = parametersOf(contract, node);
    const answer = bodySchemaOf(contract, successOf(node)[1]);
    if (answer === undefined) continue; // an empty body
    tables.responses[id] = answer;
    tables.replies[id] = withoutCards(contract, answer);
  }
  return tables;
}

function parametersOf(contract: JsonObject, operation: JsonObject): Json {
  const parameters = ((operation.parameters ?? []) as Json[])
    .map((parameter) => resolve(contract, parameter))
    .filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
  return {
    type: 'object',
    required: parameters.filter((parameter) => parameter.required === true).map((parameter) => parameter.name ?? null),
    properties: Object.fromEntries(parameters.map((parameter) => [String(parameter.name), parameter.schema ?? true])),
  };
}

const card = '#/components/schemas/GiftCard';

/** The same schema where a gift card may be anything: the mock checks a card when it is written, not each time that it is read. */
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

/** A schema for ajv: refs lead to the definitions, and what only people read is left out, since ajv would carry it along. */
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

/** Gives the validator of an entry of the tables, compiled when it is asked for. */
export function compilerOf(
  tables: Partial<Tables>,
  Ajv: AjvClass,
  allErrors: boolean,
): (table: keyof Tables, name: string) => Validate {
  const definitions = Object.entries(tables).flatMap(([table, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => [`${table}.${name}`, toDefinition(schema)] as const),
  );
  const ajv = new Ajv({
    allErrors,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: false,
    formats,
    // The rows were checked when they were read or generated; checking the whole again takes longer than all the rest.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  });
  ajv.addSchema({ $id: 'contract', $defs: Object.fromEntries(definitions) });
  return (table, name) => ajv.getSchema(`contract#/$defs/${table}.${name}`) as Validate;
}
