import { inspect } from 'node:util';
import {
  bodySchemaOf,
  type DocumentOperation,
  type Json,
  type JsonObject,
  operationsOf,
  resolve,
  successOf,
} from '../../openapi/document.ts';
import { generatedFrom } from './compile.ts';

/** Groups to which mock/client/ adds methods. */
const EXTENDED = ['account', 'behaviors', 'clock', 'deliveries', 'outbox', 'suppressed'];

interface Method {
  readonly id: string;
  readonly node: JsonObject;
  readonly group: string;
  readonly name: string;
  /** Values of the path, except the account. */
  readonly path: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: JsonObject | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/**
 * Returns the interfaces of the client. An operation with `x-client: merchant.addCard` is the method addCard of the interface Merchant, with the
 * operation's description and its first example.
 */
export function clientFiles(document: JsonObject, from: string): Record<string, string> {
  const methods = operationsOf(document).flatMap((operation) => methodOf(document, operation));
  const groups = [...new Set(methods.map(({ group }) => group))];
  const tags = new Map((document.tags as JsonObject[]).map(({ name, description }) => [name, description]));
  const interfaces = groups.map((group) => {
    const own = methods.filter((method) => method.group === group);
    const [tag = null] = (own[0]?.node.tags ?? []) as Json[];
    const lines = own.map((method) => methodText(document, method));
    return `/** ${tags.get(tag)} */\nexport interface ${interfaceOf(group)} {\n${lines.join('')}}\n`;
  });
  const text = [...interfaces, ...methods.filter(({ query }) => query.length > 0).map(queryText)].join('\n');
  const used = new Set(text.replace(/\/\*\*.*?\*\//gs, '').match(/\w+/g));
  const { schemas } = document.components as { readonly schemas: JsonObject };
  const names = Object.keys(schemas).filter((name) => used.has(name));
  const types = `import type { ${names.join(', ')} } from './types.ts';\n`;
  const exported = `export type { ${schemasWithin(schemas, names).join(', ')} } from './types.ts';\n`;
  const all = groups.map((group) => `  readonly ${group}: client.${interfaceOf(group)};\n`);
  return {
    'client.ts': `${generatedFrom(from)}${types}${exported}\n${text}`,
    'groups.ts': `${generatedFrom(from)}import type * as client from './client.ts';\n\nexport interface ControlGroups {\n${all.join('')}}\n`,
  };
}

/** Returns the names, and the names of all schemas to which these schemas refer. */
function schemasWithin(schemas: JsonObject, names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found)
    for (const [, inner = ''] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) found.add(inner);
  return [...found].sort();
}

function methodOf(document: JsonObject, operation: DocumentOperation): Method[] {
  const { node } = operation;
  const [group = '', name] = String(node['x-client'] ?? '').split('.');
  if (name === undefined) return [];
  const parameters = ((node.parameters ?? []) as Json[]).map((each) => resolve(document, each) as unknown as Parameter);
  const path = parameters.filter((each) => each.in === 'path' && each.name !== 'account');
  const query = parameters.filter((each) => each.in === 'query');
  return [{ id: operation.id, node, group, name, path, query, body: node.requestBody as JsonObject | undefined }];
}

function methodText(document: JsonObject, { id, node, group, name, path, query, body }: Method): string {
  const values = [
    ...path.map((each) => `${each.name}: ${typeText(each.schema)}`),
    ...(body ? [`body${body.required ? '' : '?'}: ${typeText(bodySchemaOf(document, body))}`] : []),
    ...(query.length > 0 ? [`query?: ${queryName(id)}`] : []),
  ];
  const [, success] = successOf(node);
  const [example] = Object.values((mediaOf(body)?.examples ?? {}) as Record<string, JsonObject>);
  const call = `account.${group === 'account' ? '' : `${group}.`}${name}`;
  const lines = [
    `${node.summary}. ${node.description ?? ''}`,
    ...path.map((each) => `@param ${each.name} - ${each.description}`),
    ...(example ? ['@example', `await ${call}(${[...path.map((each) => each.name), literal(example.value)].join(', ')});`] : []),
  ];
  const comment = lines.flatMap((line) => line.split('\n')).map((line) => `   * ${line.trim()}\n`);
  return `  /**\n${comment.join('')}   */\n  ${name}(${values.join(', ')}): Promise<${typeText(bodySchemaOf(document, success))}>;\n`;
}

function queryText({ id, query }: Method): string {
  const lines = query.map((each) => `  /** ${each.description} */\n  readonly ${each.name}?: ${typeText(each.schema)};\n`);
  return `export interface ${queryName(id)} {\n${lines.join('')}}\n`;
}

const interfaceOf = (group: string) => `${capitalized(group)}${EXTENDED.includes(group) ? 'Methods' : ''}`;
const queryName = (id: string) => `${capitalized(id)}Query`;
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const literal = (value: Json | undefined) => inspect(value, { depth: null, breakLength: Number.POSITIVE_INFINITY });

function mediaOf(message: JsonObject | undefined): JsonObject | undefined {
  return Object.values((message?.content ?? {}) as Record<string, JsonObject>)[0];
}

/** Returns the type of a named schema, a list of one, or a simple value. */
function typeText(schema: Json | undefined): string {
  if (schema === undefined) return 'void';
  const { $ref, type, items } = schema as JsonObject;
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  if (type === 'array') return `readonly ${typeText(items)}[]`;
  return type === 'integer' ? 'number' : String(type);
}
