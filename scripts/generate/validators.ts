import type { Json, JsonObject } from '../../openapi/document.ts';
import { contractTables, type Tables, toDefinition } from '../../openapi/effective/definitions.ts';
import { formats as contractFormats } from '../../openapi/formats.ts';
import { compiledModule, declaredModule } from './compile.ts';
import type { variantSchema } from './variant-schema.ts';

const CONTRACT = 'the contract';

/** The generated validators of openapi/: of the contract and of overrides. `folder` has formats.ts. */
export async function contractValidators(
  contract: JsonObject,
  variant: ReturnType<typeof variantSchema>,
  folder: string,
): Promise<Record<string, string>> {
  const tables = contractTables(contract);
  const schema = { ...(toDefinition(variant) as JsonObject), $id: 'variant' };
  const exports = { validateVariant: 'variant', validateOverride: 'variant#/$defs/override' };
  const options = { allErrors: true, loopEnum: 1 };
  return {
    'validators.js': await tablesModule(tables, folder, CONTRACT),
    'validators.d.ts': declaredModule(CONTRACT, tableTypes(tables)),
    'validate-variant.js': await compiledModule({ from: CONTRACT, schema, exports, folder, options }),
    'validate-variant.d.ts': declaredModule(
      CONTRACT,
      Object.keys(exports)
        .map((name) => `export const ${name}: Validate;\n`)
        .join(''),
    ),
  };
}

/** A module with a validator for each schema of the tables. Equal schemas share one. */
export function tablesModule(tables: Tables, folder: string, from: string, formats = contractFormats): Promise<string> {
  const { schemas, ...others } = tables;
  const definitions: Record<string, unknown> = {};
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
  // The component schemas come first: a table's entry that refers to one of them uses its function.
  const constants = Object.entries({ schemas, ...others }).map(([table, entries]) => {
    const lines = Object.entries(entries).map(([name, schema]) => `  ${name}: ${functionOf(table, name, schema)},\n`);
    return `export const ${table} = {\n${lines.join('')}};\n`;
  });
  const schema = { $id: 'contract', $defs: definitions } as JsonObject;
  return compiledModule({ from, schema, exports, folder, formats, more: constants.join('') });
}

/** The declarations of such a module's tables. */
export function tableTypes(tables: Tables): string {
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
