import { formats } from '../../mock/world/formats.ts';
import { isObject, type Json, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { type Tables, tablesOf } from '../../openapi/effective/definitions.ts';
import { bundle } from './bundle.ts';
import { declaredModule, generatedFrom } from './compile.ts';
import { documentText, typesOf } from './document-files.ts';
import { tablesModule, tableTypes } from './validators.ts';

const FROM = "the control API's document";

/** The generated files of mock/control: its document in one file, types, validators, and the client's table. */
export async function controlFiles(folder: string, formatsFolder: string): Promise<Record<string, string>> {
  const document = bundle(folder);
  const tables = controlTables(document);
  return {
    'control.json': documentText(document),
    'types.ts': await typesOf(document, { from: FROM, immutable: true }),
    'validators.js': await tablesModule(tables, formatsFolder, FROM, formats),
    'validators.d.ts': declaredModule(FROM, tableTypes(tables)),
    'operations.ts': operationTable(document),
  };
}

function controlTables(document: JsonObject): Tables {
  const { bodies, parameters, responses, schemas } = tablesOf(document);
  const own = Object.entries(schemas).filter(([name]) => !isDescription(name));
  // A path or query value that the document does not know is rejected.
  const closed = Object.entries(parameters).map(([id, schema]) => [
    id,
    { ...(schema as JsonObject), additionalProperties: false },
  ]);
  const tables = { bodies, parameters: Object.fromEntries(closed), replies: responses, schemas: Object.fromEntries(own) };
  return withoutDescriptions(tables as JsonObject) as unknown as Tables;
}

const isDescription = (name: string) => name.endsWith('Description');

/** Descriptions of accounts and cards may be any object here: mock/world/ checks them and fills in defaults. */
function withoutDescriptions(node: Json): Json {
  if (Array.isArray(node)) return node.map(withoutDescriptions);
  if (!isObject(node)) return node;
  if (typeof node.$ref === 'string' && isDescription(node.$ref)) return { type: 'object' };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutDescriptions(value)]));
}

/** For each operation its address, the kind of its last argument, and its name in the client (`x-client`). */
function operationTable(document: JsonObject): string {
  const lines = operationsOf(document).map(({ id, method, path, node }) => {
    const hasQuery = ((node.parameters ?? []) as Json[]).some((each) => resolve(document, each).in === 'query');
    const last = node.requestBody ? 'body' : hasQuery ? 'query' : '';
    const entry = { method: method.toUpperCase(), path, last, client: String(node['x-client'] ?? '') };
    return `  ${id}: ${JSON.stringify(entry)},\n`;
  });
  return `${generatedFrom(FROM)}export const operationTable = {\n${lines.join('')}} as const;\n`;
}
