import { isObject, type Json, type JsonObject, operationsOf } from '../document.ts';
import type { Plan } from './plan.ts';

/** Renames properties and parameters in backticks in all descriptions. Writes into the document. */
export function renameInDescriptions(document: JsonObject, { places }: Plan): void {
  const schemas = (document.components as JsonObject).schemas as JsonObject;
  for (const [owner, moved] of places) {
    const node = schemas[owner] ?? operationsOf(document).find(({ id }) => id === owner)?.node;
    if (isObject(node)) renameBelow(node, moved);
  }
}

function renameBelow(node: Json, moved: ReadonlyMap<string, readonly string[]>): void {
  if (Array.isArray(node)) for (const each of node) renameBelow(each, moved);
  else if (isObject(node)) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'description' && typeof value === 'string') node[key] = renamed(value, moved);
      else if (!key.startsWith('example')) renameBelow(value, moved);
    }
  }
}

function renamed(text: string, moved: ReadonlyMap<string, readonly string[]>): string {
  return text.replaceAll(/`(\w+)`/g, (whole, name: string) => {
    const steps = moved.get(name);
    return steps ? `\`${steps.join('.')}\`` : whole;
  });
}
