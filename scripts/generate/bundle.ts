import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parse } from 'yaml';
import { type Json, type JsonObject, valueAt } from '../../openapi/document.ts';

/** The section of `components` for each file or folder. The content of any other file replaces the reference to it. */
const sections: Record<string, string> = {
  schemas: 'schemas',
  examples: 'examples',
  'responses.yaml': 'responses',
  'parameters.yaml': 'parameters',
};

/** Matches a reference to a definition of the world file's schema. The definition gets a new name, because a component may have the same name. */
const DEFINITION = /^\$defs\/(\w+)$/;

/**
 * Bundles openapi.yaml and the files that it refers to. `schemas/gift-card.yaml#/GiftCard` becomes `#/components/schemas/GiftCard`. A definition of
 * the world file's schema, such as `#/$defs/Card`, becomes `CardDescription`. If the reference names a property of such a definition, the property
 * loses its default, because a request that omits the property leaves the value unchanged.
 */
export function bundle(folder: string): JsonObject {
  const files = new Map<string, JsonObject>();
  const components: Record<string, JsonObject> = {};
  const homes = new Map<string, string>();

  const load = (file: string): JsonObject => {
    const content = files.get(file) ?? (parse(readFileSync(posix.join(folder, file), 'utf8')) as JsonObject);
    files.set(file, content);
    return content;
  };

  const follow = (ref: string, from: string): Json => {
    const [path = '', name = ''] = ref.split('#/');
    if (path === '' && name.startsWith('components/')) return { $ref: ref };
    const file = path === '' ? from : posix.join(posix.dirname(from), path);
    const target = valueAt(load(file), name.split('/')) as Json | undefined;
    if (target === undefined) throw new Error(`${from} refers to ${ref}, but ${file} has no ${name}.`);
    const definition = DEFINITION.exec(name)?.[1];
    const section = definition === undefined ? sections[file.split('/')[0] ?? ''] : 'schemas';
    if (section === undefined) {
      const { default: value, ...others } = walk(target, file) as JsonObject;
      return name.startsWith('$defs/') || value === undefined ? others : { ...others, default: value };
    }
    const called = definition === undefined ? name : `${definition}Description`;
    const key = `${section}/${called}`;
    const home = homes.get(key);
    if (home !== undefined && home !== file) throw new Error(`${called} is in ${home} and in ${file}; rename one of them.`);
    if (home === undefined) {
      homes.set(key, file);
      components[section] ??= {};
      components[section][called] = null;
      components[section][called] = walk(target, file);
    }
    return { $ref: `#/components/${key}` };
  };

  // Properties next to a reference, such as a description, stay.
  const walk = (node: Json, from: string): Json =>
    JSON.parse(JSON.stringify(node), (_, value) => {
      if (typeof value?.$ref !== 'string') return value;
      const { $ref, ...own } = value;
      return { ...(follow($ref, from) as JsonObject), ...own };
    });

  const document = walk(load('openapi.yaml'), 'openapi.yaml') as JsonObject;
  document.components = { ...components, ...(document.components as JsonObject) };
  return document;
}
