import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { worldProblems } from '../../mock/world/check.ts';
import { withDefaultNames } from '../../mock/world/description.ts';
import { formats } from '../../mock/world/formats.ts';
import type * as filled from '../../mock/world/generated/filled.ts';
import { messageOf } from '../../mock/world/problem.ts';
import type { JsonObject } from '../../openapi/document.ts';
import { generatedFrom, validatorFiles } from './compile.ts';
import { typesOf } from './document-files.ts';

const FROM = "the world file's schema";

/** Returns the generated files of mock/world: the schema's types and validators, and the default world as data. */
export async function worldFiles(folder: string): Promise<Record<string, string>> {
  const schema = JSON.parse(readFileSync(join(folder, 'world.schema.json'), 'utf8')) as JsonObject;
  const exports = { validateWorld: 'world', validateAccount: 'world#/$defs/Account' };
  const isProse = (key: string, value: unknown) => ['description', 'title'].includes(key) && typeof value === 'string';
  const compiled = JSON.parse(JSON.stringify({ ...schema, $id: 'world' }), (key, value) =>
    isProse(key, value) ? undefined : value,
  );
  return {
    'described.ts': await typesOf(definitionsOf(schema, describedName), FROM, { immutable: true }),
    'filled.ts': await typesOf(definitionsOf(schema), FROM, { immutable: true, defaultNonNullable: true }),
    ...(await validatorFiles('validate-world', { from: FROM, schema: compiled, exports, folder, formats, options })),
    'default-world.ts': defaultWorld(schema, readFileSync(join(folder, 'default-world.yaml'), 'utf8')),
  };
}

/** Returns the schema's definitions as an OpenAPI document, which the generator of types needs. */
function definitionsOf(schema: JsonObject, rename = (name: string) => name): JsonObject {
  const text = JSON.stringify(schema.$defs).replace(/"#\/\$defs\/(\w+)"/g, (_, name) => `"#/components/schemas/${rename(name)}"`);
  const schemas = Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, each]) => [rename(name), each]));
  return { openapi: '3.1.0', info: { title: 'world', version: '1' }, paths: {}, components: { schemas } } as JsonObject;
}

/** Returns the name of a type that users see. Other types have the name of the record, such as Card. */
const describedName = (name: string) => (name === 'World' ? 'WorldFile' : `${name}Description`);

const options = { allErrors: true, useDefaults: true };

/** Checks the default world and fills in all defaults, so that the mock need not do this at every start. */
function defaultWorld(schema: JsonObject, text: string): string {
  const ajv = new Ajv2020({ ...options, allowUnionTypes: true, formats });
  const world: unknown = parse(text);
  if (!ajv.validate(schema, world)) throw new Error(`default-world.yaml: ${ajv.errorsText()}.`);
  const named = withDefaultNames(world as filled.World);
  const messages = worldProblems(named).map((problem) => messageOf(problem, named, 'default-world.yaml', () => undefined));
  if (messages.length > 0) throw new Error(messages.join(' '));
  return `${generatedFrom('default-world.yaml')}import type { World } from '../description.ts';

export const defaultWorld: World = ${JSON.stringify(named, null, 1)};
`;
}
