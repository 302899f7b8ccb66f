import { formats } from '../../mock/world/formats.ts';
import { type Json, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { type SchemaTables, validatorSchemas } from '../../openapi/effective/definitions.ts';
import { bundle } from './bundle.ts';
import { clientFiles } from './client.ts';
import { generatedFrom } from './compile.ts';
import { documentText, listsOf, typesOf } from './document-files.ts';
import { tableFiles } from './validators.ts';

const FROM = "the control API's document";

/** Returns the generated files of mock/control: the document of the control API, its types, lists and validators, and the table of its operations. */
export async function controlFiles(folder: string, contract: JsonObject, formatsFolder: string): Promise<Record<string, string>> {
  const document = withLists(bundle(folder), contract);
  return {
    'control.json': documentText(document),
    'types.ts': await typesOf(document, FROM, { immutable: true, imports: importsOf(document) }),
    'operations.ts': operationTable(document),
    'lists.ts': listsOf(document, FROM),
    ...clientFiles(document, FROM),
    ...(await tableFiles(controlTables(document), formatsFolder, FROM, formats)),
  };
}

/** Adds the names of the service's operations. Writes a union of lists as one list, and a property for each name of a list. */
function withLists(document: JsonObject, contract: JsonObject): JsonObject {
  const { Operation } = (document.components as { readonly schemas: Readonly<Record<string, JsonObject>> }).schemas;
  if (Operation) Operation.enum = operationsOf(contract).map(({ id }) => id);
  const namesIn = (schema: Json): readonly Json[] | undefined => {
    const { enum: names, anyOf } = resolve(document, schema);
    if (!Array.isArray(anyOf)) return Array.isArray(names) ? names : undefined;
    const parts = anyOf.map(namesIn);
    return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
  };
  return JSON.parse(JSON.stringify(document), (_, node) => {
    const { anyOf, propertyNames, ...others } = node ?? {};
    const union = anyOf && namesIn(node);
    if (union) return { type: 'string', enum: union, ...others };
    const required = propertyNames && namesIn(propertyNames);
    if (!required) return node;
    const properties = Object.fromEntries(required.map((name: string) => [name, others.additionalProperties]));
    return { ...others, additionalProperties: false, required, properties };
  });
}

const isDescription = (name: string) => name.endsWith('Description');

/** The control API validates these schemas loosely, because the contract variant or mock/world/ checks them. Their exact types exist already. */
function importsOf(document: JsonObject): Record<string, string[]> {
  const { schemas } = document.components as { readonly schemas: JsonObject };
  return {
    '../../../openapi/effective/overrides.ts': ['Override'],
    '../../../openapi/generated/types.ts': ['GiftCard'],
    '../../world/generated/described.ts': Object.keys(schemas).filter(isDescription),
  };
}

function controlTables(document: JsonObject): SchemaTables {
  const { bodies, parameters, responses, schemas } = validatorSchemas(document);
  const own = Object.entries(schemas).filter(([name]) => !isDescription(name));
  // With additionalProperties false, the validator rejects unknown parameters.
  const closed = Object.entries(parameters).map(([id, schema]) => [id, { ...(schema as object), additionalProperties: false }]);
  const tables = { bodies, parameters: Object.fromEntries(closed), responses: responses, schemas: Object.fromEntries(own) };
  // Here, a description of an account or card may be any object, because mock/world/ checks the description and fills in defaults.
  return JSON.parse(JSON.stringify(tables), (_, node) =>
    typeof node?.$ref === 'string' && isDescription(node.$ref) ? { type: 'object' } : node,
  );
}

/** Returns the table of operations. An entry has method, path, the kind of the client function's last argument, and its name (`x-client`). */
function operationTable(document: JsonObject): string {
  const lines = operationsOf(document).map(({ id, method, path, node }) => {
    const hasQuery = ((node.parameters ?? []) as Json[]).some((each) => resolve(document, each).in === 'query');
    const last = node.requestBody ? 'body' : hasQuery ? 'query' : '';
    const entry = { method: method.toUpperCase(), path, last, client: String(node['x-client'] ?? '') };
    return `  ${id}: ${JSON.stringify(entry)},\n`;
  });
  return `${generatedFrom(FROM)}export const operationTable = {\n${lines.join('')}} as const;\n`;
}
