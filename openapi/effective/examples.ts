import { asObject, isObject, type Json, type JsonObject, objectsIn, operationsOf, resolve, successOf } from '../document.ts';
import { responseTranslator } from './bodies.ts';
import type { OverridePlan } from './plan.ts';
import { schemaName } from './schemas.ts';
import type { Translate, Translator } from './translate.ts';

/**
 * Translates the examples of all bodies to the form on the wire. The document still has the contract's own names. Its schemas are already patched. If an
 * override changes a shared example, the changed place gets its own copy. Writes into the document.
 */
export function translateExamples(document: JsonObject, plan: OverridePlan, translator: Translator): void {
  const translateIn = (holder: Json | undefined, translate: (schema: Json | undefined) => Translate | undefined) => {
    if (!isObject(holder)) return;
    for (const [, { schema, examples }] of objectsIn(holder.content)) {
      if (!isObject(examples)) continue;
      const toWire = translate(schema);
      for (const [name, shared] of Object.entries(examples)) {
        const example = resolve(document, shared);
        const fresh = renewed(document, example.value, schema, plan);
        const value = (toWire ? toWire(fresh) : fresh) as Json;
        if (JSON.stringify(value) !== JSON.stringify(example.value)) examples[name] = { ...example, value };
      }
    }
  };
  const outward = (schema: Json | undefined) => translator.outward(schema);
  for (const { node } of operationsOf(document)) {
    translateIn(node.requestBody, outward);
    translateIn(successOf(node)[1], () => responseTranslator(document, node, plan, translator, new Set()));
  }
  for (const [, { post }] of objectsIn(document.webhooks)) translateIn(asObject(post).requestBody, outward);
}

/** Returns a copy of an example. A patched property gets the example of the patch. A null that a patch forbids is removed. */
function renewed(document: JsonObject, value: Json | undefined, schema: Json | undefined, plan: OverridePlan): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => renewed(document, each, schema.items, plan));
  if (!isObject(value)) return value;
  const choices = schema.allOf ?? schema.anyOf;
  const part = Array.isArray(choices) ? choices.find((each) => isObject(each) && each.$ref) : schema;
  if (!isObject(part)) return value;
  const target = resolve(document, part);
  if (target.allOf ?? target.anyOf) return renewed(document, value, target, plan);
  const patches = plan.patches.get(schemaName(part.$ref) ?? '');
  const entries = Object.entries(value).flatMap(([name, inside]) => {
    const property = asObject(target.properties)[name];
    const patch = patches?.get(name) ?? asObject(patches?.get('')?.properties)[name];
    if (!isObject(patch)) return [[name, renewed(document, inside, property, plan)]];
    const isNullable = !isObject(property) || property.type === undefined || [property.type].flat().includes('null');
    if (inside === null && !isNullable && ![target.required].flat().includes(name)) return [];
    if ((inside !== null || !isNullable) && Array.isArray(patch.examples)) return [[name, patch.examples[0]]];
    return [[name, inside]];
  });
  return Object.fromEntries(entries);
}
