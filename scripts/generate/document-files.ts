import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import type { JsonObject } from '../../openapi/document.ts';
import { generatedFrom } from './compile.ts';
import { withNamedSchemas } from './named-types.ts';

export const jsonText = (value: JsonObject) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns a document as JSON. JSON has no comments, so a property on the first line says that the file is generated. */
export function documentText(document: JsonObject): string {
  return jsonText({ 'x-generated': 'By "npm run generate"; do not edit.', ...document }).replace('{\n  ', '{ ');
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
