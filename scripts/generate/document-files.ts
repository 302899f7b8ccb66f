import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { JsonObject } from '../../openapi/document.ts';
import { generatedFrom } from './compile.ts';

/** A document as a JSON file. JSON has no comments, so a property on the first line says that it is generated. */
export function documentText(document: JsonObject): string {
  const marked = { 'x-generated': 'By "npm run generate"; do not edit.', ...document };
  return `${JSON.stringify(marked, null, 2).replace('{\n  ', '{ ')}\n`;
}

interface TypeOptions {
  readonly from: string;
  readonly immutable?: boolean;
  /** Whether a property with a default is never undefined. In a request a caller may leave it out. */
  readonly hasDefaults?: boolean;
}

/** A document's types. */
export async function typesOf(
  document: JsonObject,
  { from, immutable = false, hasDefaults = false }: TypeOptions,
): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as unknown as OpenAPI3, {
    defaultNonNullable: hasDefaults,
    immutable,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return `${generatedFrom(from)}${astToString(nodes)}`;
}
