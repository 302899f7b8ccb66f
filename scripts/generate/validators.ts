import { _, Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { isObject, type Json, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { formats } from '../../openapi/formats.ts';
import { selfContained } from './self-contained.ts';

const standalone = standaloneModule.default;

type Tables = Record<'bodies' | 'parameters' | 'responses' | 'replies' | 'schemas', Record<string, Json>>;

/** The schemas to compile, by table and name; refs between them still lead into the document. */
function tablesOf(contract: JsonObject): Tables {
  const schemas = (contract.components as JsonObject).schemas as Record<string, Json>;
  const tables: Tables = { bodies: {}, parameters: {}, responses: {}, replies: {}, schemas: { ...schemas } };
  for (const { id, node } of operationsOf(contract)) {
    const body = jsonSchemaOf(contract, node.requestBody);
    if (body !== undefined) tables.bodies[id] = body;
    tables.parameters[id] = parametersOf(contract, node);
    const answer = jsonSchemaOf(contract, (node.responses as JsonObject)['200']);
    if (answer === undefined) throw new Error(`${id} has no JSON body for its 200 answer.`);
    tables.responses[id] = answer;
    tables.replies[id] = withoutCards(contract, answer);
  }
  return tables;
}

export function jsonSchemaOf(contract: JsonObject, holder: Json | undefined): Json | undefined {
  if (holder === undefined) return undefined;
  const content = resolve(contract, holder).content as JsonObject | undefined;
  const media = content?.['application/json'];
  return isObject(media) ? media.schema : undefined;
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

/** The module of the contract's validators. */
export function compileValidators(contract: JsonObject, folder: string): Promise<string> {
  return validatorModule(tablesOf(contract), folder);
}

/**
 * One self-contained ES module with a validator for each schema of the tables, whose refs lead to the entries of `schemas`. A keyword or format
 * that nothing enforces is an error of ajv's strict mode.
 */
export async function validatorModule(
  tables: Readonly<Record<string, Readonly<Record<string, Json>>>> & { readonly schemas: Readonly<Record<string, Json>> },
  folder: string,
  from = 'the contract',
): Promise<string> {
  const definitions: Record<string, unknown> = {};
  const compiled: Record<string, string> = {};
  const validatorOf = new Map<string, string>();
  // The component schemas come first, so that a table's entry that is one of them, or is like an earlier one, is not compiled again.
  for (const [name, schema] of Object.entries(tables.schemas)) {
    validatorOf.set(JSON.stringify({ $ref: `#/components/schemas/${name}` }), `schemas_${name}`);
    definitions[`schemas.${name}`] = toDefinition(schema);
    compiled[`schemas_${name}`] = `contract#/$defs/schemas.${name}`;
  }
  const nameFor = (table: string, name: string, schema: Json): string => {
    if (table === 'schemas') return `schemas_${name}`;
    const text = JSON.stringify(schema);
    const known = validatorOf.get(text);
    if (known !== undefined) return known;
    validatorOf.set(text, `${table}_${name}`);
    definitions[`${table}.${name}`] = toDefinition(schema);
    compiled[`${table}_${name}`] = `contract#/$defs/${table}.${name}`;
    return `${table}_${name}`;
  };
  const exported = Object.entries(tables).map(([table, schemas]) => {
    const entries = Object.entries(schemas).map(([name, schema]) => `  ${name}: ${nameFor(table, name, schema)},\n`);
    return `export const ${table} = {\n${entries.join('')}};`;
  });
  const ajv = new Ajv2020({
    allErrors: false,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: false,
    formats,
    code: { source: true, esm: true, lines: true, formats: _`contractFormats` },
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  const code = standalone(ajv, compiled).replaceAll(/^export const (\w+) = /gm, 'const $1 = ');
  const contents = `import { formats as contractFormats } from './formats.ts';\n${code}\n${exported.join('\n')}\n`;
  const output = await selfContained(contents, folder, 'validators.js');
  return `// Generated by "npm run generate" from ${from}; do not edit.\n${output}`;
}

const annotations = new Set(['description', 'title', 'examples', 'default']);

/** A schema for ajv: refs lead to the definitions, and what only people read is left out, since ajv would carry it along. */
function toDefinition(schema: Json): unknown {
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

export function validatorTypes(contract: JsonObject): string {
  const tables = tablesOf(contract);
  const union = (names: string[]) => names.map((name) => `\n  | '${name}'`).join('');
  return `// Generated by "npm run generate" from the contract; do not edit.
import type { ErrorObject } from 'ajv';

export interface Validate {
  (value: unknown): boolean;
  /** Why the last value did not fit. */
  errors?: ErrorObject[] | null;
}

export type OperationId =${union(Object.keys(tables.parameters))};

export type SchemaName =${union(Object.keys(tables.schemas))};

/** Request bodies, of the operations that have one. */
export const bodies: { readonly [id in OperationId]?: Validate };
/** Path and query values in one flat object, after conversion to their types. */
export const parameters: { readonly [id in OperationId]: Validate };
/** Bodies of the 200 answers. */
export const responses: { readonly [id in OperationId]: Validate };
/** The same, but any value passes for a gift card inside. */
export const replies: { readonly [id in OperationId]: Validate };
/** All component schemas. */
export const schemas: { readonly [name in SchemaName]: Validate };
`;
}
