import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import type { JsonObject } from '../../openapi/document.ts';
import { generatedFrom } from './compile.ts';
import { withNamedSchemas } from './named-types.ts';

export const jsonText = (value: JsonObject) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns a document as JSON. JSON has no comments, so a property on the first line says that the file is generated. */
export function documentText(document: JsonObject): string {
  return jsonText({ 'x-generated': 'By "npm run generate"; do not edit.', ...document }).replace('{\n  ', '{ ');
}

/** Returns lists.ts: every list of names in the document's schemas, by the schema. A list of examples is by schema and property. */
export function listsOf(document: JsonObject, from: string, more: Readonly<Record<string, readonly string[]>> = {}): string {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, JsonObject>> };
  const lists = Object.entries(schemas).flatMap(([name, schema]) => {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
    const examples = properties.map(([property, node]) => [`${name}.${property}`, node.examples] as const);
    return [[name, schema.enum] as const, ...examples.filter(([, list]) => Array.isArray(list) && list.length > 1)];
  });
  const found = { ...Object.fromEntries(lists.filter(([, list]) => list !== undefined)), ...more };
  return `${generatedFrom(from)}export const lists = ${JSON.stringify(found, null, 2)} as const;\n`;
}

interface TypeOptions extends OpenAPITSOptions {
  /** The schemas whose types exist already, by the file that exports them. */
  readonly imports?: Readonly<Record<string, readonly string[]>>;
}

/** Returns a document's types. With the option `defaultNonNullable`, a property with a default is optional in requests only. */
export async function typesOf(
  document: JsonObject,
  from: string,
  { imports = {}, ...options }: TypeOptions = {},
): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, { defaultNonNullable: false, ...options });
  const lines = Object.entries(imports).map(([file, names]) => {
    const from = `type { ${names.join(', ')} } from '${file}';\n`;
    return `import ${from}export ${from}`;
  });
  const text = astToString(withNamedSchemas(nodes, Object.values(imports).flat()));
  // TSDoc has no tag @description. The text is then the description.
  return `${generatedFrom(from)}${lines.join('')}${text.replaceAll('* @description ', '* ').replace(/^ *\* @enum \{.*\}\n/gm, '')}`;
}
