import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import type { JsonObject } from '../../openapi/document.ts';
import { generatedFrom } from './compile.ts';

export const jsonText = (value: JsonObject) => `${JSON.stringify(value, null, 2)}\n`;

/** Returns a document as JSON. JSON has no comments, so a property on the first line says that the file is generated. */
export function documentText(document: JsonObject): string {
  return jsonText({ 'x-generated': 'By "npm run generate"; do not edit.', ...document }).replace('{\n  ', '{ ');
}

/** Returns a document's types. With the option `defaultNonNullable`, a property with a default is optional in requests only. */
export async function typesOf(document: JsonObject, from: string, options: OpenAPITSOptions = {}): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    ...options,
  });
  return `${generatedFrom(from)}${astToString(nodes)}`;
}
