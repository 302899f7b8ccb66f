import type { Json, JsonObject } from '../../openapi/document.ts';
import { contractTables, type SchemaTables, toDefinition } from '../../openapi/effective/definitions.ts';
import { formats as contractFormats } from '../../openapi/formats.ts';
import { validatorFiles } from './compile.ts';
import type { variantSchema } from './variant-schema.ts';

/** Returns the validators of openapi/, for the contract and for variant files. `folder` is the folder of formats.ts. */
export async function contractValidators(
  contract: JsonObject,
  variant: ReturnType<typeof variantSchema>,
  folder: string,
): Promise<Record<string, string>> {
  const schema = { ...(toDefinition(variant) as JsonObject), $id: 'variant' };
  const exports = { validateVariant: 'variant', validateOverride: 'variant#/$defs/override' };
  const from = 'the contract';
  return {
    ...(await tableFiles(contractTables(contract), folder, from)),
    ...(await validatorFiles('validate-variant', { from, schema, exports, folder, options: { allErrors: true, loopEnum: 1 } })),
  };
}

/** Returns a module with a validator for each schema of the tables, and the type declarations. Equal schemas share a validator. */
export function tableFiles(tables: SchemaTables, folder: string, from: string, formats = contractFormats) {
  const { schemas, ...others } = tables;
  const definitions: Record<string, Json> = {};
  const exports: Record<string, string> = {};
  const functions = new Map<string, string>();
  const functionOf = (table: string, name: string, schema: Json): string => {
    const text = JSON.stringify(table === 'schemas' ? { $ref: `#/components/schemas/${name}` } : schema);
    const known = functions.get(text);
    if (known !== undefined) return known;
    functions.set(text, `${table}_${name}`);
    definitions[`${table}.${name}`] = toDefinition(schema);
    exports[`${table}_${name}`] = `contract#/$defs/${table}.${name}`;
    return `${table}_${name}`;
  };
  // An entry of another table can be a reference to a component schema. The entry then uses the schema's validator, so `schemas` comes first.
  const constants = Object.entries({ schemas, ...others }).map(([table, entries]) => {
    const lines = Object.entries(entries).map(([name, schema]) => `  ${name}: ${functionOf(table, name, schema)},\n`);
    return `export const ${table} = {\n${lines.join('')}};\n`;
  });
  const schema = { $id: 'contract', $defs: definitions };
  const code = constants.join('');
  return validatorFiles('validators', { from, schema, exports, folder, formats, constants: { code, types: typesOf(tables) } });
}

function typesOf(tables: SchemaTables): string {
  const union = (names: string[]) => names.map((name) => `\n  | '${name}'`).join('');
  const operations = Object.keys(tables.parameters);
  const constants = Object.entries(tables).map(([table, entries]) => {
    if (table === 'schemas') return 'export const schemas: { readonly [name in SchemaName]: Validate };\n';
    const isComplete = operations.every((id) => id in entries);
    return `export const ${table}: { readonly [id in OperationId]${isComplete ? '' : '?'}: Validate };\n`;
  });
  return `export type OperationId =${union(operations)};

export type SchemaName =${union(Object.keys(tables.schemas))};

${constants.join('')}`;
}
