import { isObject, type Json, type JsonObject, operationsOf, resolve, successOf } from '../document.ts';
import { answerTranslator } from './bodies.ts';
import type { Plan } from './plan.ts';
import { schemaName } from './schemas.ts';
import type { Translate, Translator } from './translate.ts';

interface Use {
  readonly examples: JsonObject;
  readonly name: string;
  readonly value: unknown;
}

/**
 * Translates the examples of all bodies to the wire. The document still has the contract's own names; its schemas are patched. A shared example
 * stays shared if it is the same for all users. Writes into the document.
 */
export function translateExamples(document: JsonObject, plan: Plan, translator: Translator): void {
  const uses: Use[] = [];
  const collect = (holder: Json | undefined, translate: (schema: Json | undefined) => Translate | undefined) => {
    if (!isObject(holder) || !isObject(holder.content)) return;
    for (const { schema, examples } of Object.values(holder.content) as JsonObject[]) {
      if (!isObject(examples)) continue;
      const toWire = translate(schema);
      for (const [name, example] of Object.entries(examples)) {
        const { value } = resolve(document, example);
        const fresh = plan.patches.size === 0 ? value : renewed(document, value, schema, plan);
        uses.push({ examples, name, value: toWire ? toWire(fresh) : fresh });
      }
    }
  };
  const outward = (schema: Json | undefined) => translator.outward(schema);
  for (const { node } of operationsOf(document)) {
    collect(node.requestBody, outward);
    collect(successOf(node)[1], () => answerTranslator(document, node, plan, translator, new Set()));
  }
  for (const item of Object.values((document.webhooks ?? {}) as Record<string, JsonObject>))
    collect((item.post as JsonObject).requestBody, outward);

  const shared = new Map<string, Use[]>();
  for (const use of uses) {
    const example = use.examples[use.name] as JsonObject;
    if (typeof example.$ref === 'string') shared.set(example.$ref, [...(shared.get(example.$ref) ?? []), use]);
    else example.value = use.value as Json;
  }
  for (const [ref, users] of shared) {
    const target = resolve(document, { $ref: ref });
    const isShared = new Set(users.map(({ value }) => JSON.stringify(value))).size === 1;
    if (isShared) target.value = users[0]?.value as Json;
    else for (const { examples, name, value } of users) examples[name] = { ...target, value: value as Json };
  }
}

/** The value with the examples of patched properties, and without nulls that a patch forbids. */
function renewed(document: JsonObject, value: Json | undefined, schema: Json | undefined, plan: Plan): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => renewed(document, each, schema.items, plan));
  if (!isObject(value)) return value;
  const choices = schema.allOf ?? schema.anyOf;
  const part = Array.isArray(choices) ? choices.find((each) => isObject(each) && each.$ref) : schema;
  if (!isObject(part)) return value;
  const target = resolve(document, part);
  if (target.allOf ?? target.anyOf) return renewed(document, value, target, plan);
  const patches = plan.patches.get(schemaName(part.$ref) ?? '');
  const { properties = {}, required = [] } = target;
  const entries = Object.entries(value).flatMap(([name, inside]) => {
    const property = (properties as JsonObject)[name];
    const patch = patches?.get(name) ?? ((patches?.get('')?.properties as JsonObject)?.[name] as JsonObject | undefined);
    if (!patch) return [[name, renewed(document, inside, property, plan)]];
    const isNullable = !isObject(property) || property.type === undefined || [property.type].flat().includes('null');
    if (inside === null && !isNullable && !(required as string[]).includes(name)) return [];
    if ((inside !== null || !isNullable) && Array.isArray(patch.examples)) return [[name, patch.examples[0]]];
    return [[name, inside]];
  });
  return Object.fromEntries(entries);
}
