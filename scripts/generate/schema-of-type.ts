import { join, resolve } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';
import { isObject, type Json, type JsonObject } from '../../openapi/document.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * The JSON Schema (2020-12) of an exported type, `file` from the repository's root. Comments of properties become descriptions; `@secret` becomes
 * writeOnly. `open` allows properties that the type does not name. `replaced` gives other schemas to named types: those whose values differ by version.
 */
export function schemaOfType(
  file: string,
  type: string,
  { open, replaced = {} }: { open: boolean; replaced?: Readonly<Record<string, JsonObject>> },
): JsonObject {
  const generator = createGenerator({
    path: join(root, file),
    type,
    tsconfig: join(root, 'tsconfig.json'),
    skipTypeCheck: true,
    topRef: false,
    expose: Object.keys(replaced).length > 0 ? 'export' : 'none',
    additionalProperties: open,
    extraTags: ['secret'],
    sortProps: false,
    functions: 'fail',
  });
  const { $schema: _, definitions = {}, ...schema } = JSON.parse(JSON.stringify(generator.createSchema(type))) as JsonObject;
  const $defs = reachable(schema, { ...(definitions as JsonObject), ...replaced });
  return adapted({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs }) as JsonObject;
}

/** The definitions that a schema refers to, directly or through another. */
function reachable(schema: Json, definitions: JsonObject, found: JsonObject = {}): JsonObject {
  for (const [, encoded = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    const name = decodeURIComponent(encoded);
    if (Object.hasOwn(found, name)) continue;
    found[name] = definitions[name] as Json;
    reachable(definitions[name] as Json, definitions, found);
  }
  return found;
}

function adapted(node: Json): Json {
  if (Array.isArray(node)) return node.map(adapted);
  if (!isObject(node)) return typeof node === 'string' ? node.replace(/^#\/definitions\//, '#/$defs/') : node;
  const { secret, ...rest } = node;
  const entries = Object.entries(rest).map(([key, value]) => [key, adapted(value)]);
  return { ...Object.fromEntries(entries), ...(secret === true ? { writeOnly: true } : {}) };
}
