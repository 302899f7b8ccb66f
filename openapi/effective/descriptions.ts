import { isObject, type Json, type JsonObject, operationsOf } from '../document.ts';
import type { Plan } from './plan.ts';

/** Texts that tell of a property or a parameter in backticks follow its name. Writes into the document. */
export function tellNames(document: JsonObject, { places }: Plan): void {
  const schemas = (document.components as JsonObject).schemas as JsonObject;
  for (const [owner, moved] of places) {
    const node = schemas[owner] ?? operationsOf(document).find(({ id }) => id === owner)?.node;
    if (isObject(node)) follow(node, moved);
  }
}

function follow(node: Json, moved: ReadonlyMap<string, readonly string[]>): void {
  if (Array.isArray(node)) for (const each of node) follow(each, moved);
  else if (isObject(node)) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'description' && typeof value === 'string') node[key] = followed(value, moved);
      else if (!key.startsWith('example')) follow(value, moved);
    }
  }
}

function followed(text: string, moved: ReadonlyMap<string, readonly string[]>): string {
  return text.replaceAll(/`(\w+)`/g, (whole, name: string) => {
    const steps = moved.get(name);
    return steps ? `\`${steps.join('.')}\`` : whole;
  });
}
