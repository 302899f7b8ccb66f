import { isObject, type Json, type JsonObject, operationsOf, resolve, successOf } from '../document.ts';
import { filled, mediaOf, schemaOf } from './bodies.ts';
import { examplesOf } from './examples.ts';
import type { AnswerRows, Plan } from './plan.ts';

/** Gives every success the status, media type and body that the rows say; its examples are told already. Writes into the document. */
export function placeSuccesses(document: JsonObject, plan: Plan): void {
  for (const { id, node } of operationsOf(document)) {
    const steps = plan.wraps.get(id);
    const { status, media, body } = plan.answers.get(id) ?? {};
    if (!steps && status === undefined && media === undefined && body === undefined) continue;
    const [before, shared] = successOf(node);
    const response = structuredClone(resolve(document, shared));
    const [[type, content] = ['application/json', {}]] = Object.entries((response.content ?? {}) as Record<string, JsonObject>);
    if (body === null) delete response.content;
    else {
      const schema = body === undefined ? content.schema : schemaOf(body);
      response.content = { [media ?? type]: { ...content, schema: steps ? wrapped(steps, schema as Json) : (schema as Json) } };
    }
    const { [before]: _, ...others } = node.responses as JsonObject;
    node.responses = { ...others, [String(status ?? before)]: response };
  }
}

function wrapped(steps: readonly string[], schema: Json): Json {
  return steps.reduceRight<Json>((inner, step) => ({ type: 'object', required: [step], properties: { [step]: inner } }), schema);
}

/** Gives every refusal the status, media type and body that the rows say, wherever it stands. Writes into the document. */
export function placeRefusals(document: JsonObject, { answers }: Plan): void {
  const holders = [
    ...operationsOf(document).map(({ node }) => node),
    { responses: document['x-outside-operations'] as JsonObject },
  ];
  for (const holder of holders) {
    const responses = new Map<string, JsonObject>();
    let touched = false;
    for (const [status, response] of Object.entries(holder.responses as Record<string, JsonObject>)) {
      for (const [newStatus, part] of parts(document, status, response, answers)) {
        touched ||= part !== response;
        const there = responses.get(newStatus);
        responses.set(newStatus, there ? joined(resolve(document, there), resolve(document, part)) : part);
      }
    }
    if (touched) holder.responses = Object.fromEntries(responses);
  }
  document['x-outside-operations'] = (holders.at(-1) as JsonObject).responses as JsonObject;
}

/** A response taken apart by what the rows say of its refusals; itself, where they say nothing. */
function parts(
  document: JsonObject,
  status: string,
  response: JsonObject,
  answers: Plan['answers'],
): [status: string, response: JsonObject][] {
  const whole = resolve(document, response);
  const { here, elsewhere } = refusalsOf(whole);
  const codes = [...here, ...elsewhere.filter((code) => answers.get(code)?.status !== undefined)];
  if (!codes.some((code) => answers.has(code))) return [[status, response]];
  const groups = new Map<string, { rows: AnswerRows | undefined; codes: string[] }>();
  for (const code of codes) {
    const rows = answers.get(code);
    // In brackets, since JSON writes an empty body and none that was said alike.
    const key = JSON.stringify([rows?.status, rows?.media, rows?.body === undefined ? [] : [rows.body]]);
    const group = groups.get(key) ?? { rows, codes: [] };
    group.codes.push(code);
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ rows, codes: these }) => {
    const newStatus = String(rows?.status ?? status);
    const { 'x-refusals-elsewhere': _, ...told } = structuredClone(whole);
    const part: JsonObject = { ...told, 'x-refusals': these };
    if (!rows) return [newStatus, part];
    // Which example belongs to which refusal is not said; a part of a response therefore gets one of its own.
    const messages = groups.size === 1 ? examplesOf(whole.content as JsonObject) : these.map(exampleFor);
    const content = refusalContent(rows, Number(newStatus), messages);
    delete part.content;
    return [newStatus, content ? { ...part, content } : part];
  });
}

/** The codes of the refusals that a response is for, and of those that only a reading brings, which says under which status. */
export function refusalsOf(response: JsonObject): { readonly here: string[]; readonly elsewhere: string[] } {
  return {
    here: (response['x-refusals'] ?? []) as string[],
    elsewhere: (response['x-refusals-elsewhere'] ?? []) as string[],
  };
}

function exampleFor(code: string): [string, JsonObject] {
  return [code.replaceAll(/\W+/g, '-'), { summary: code, value: `The request was refused (${code}).` }];
}

function refusalContent({ media, body }: AnswerRows, status: number, messages: [string, JsonObject][]): JsonObject | undefined {
  if (body === null) return undefined;
  const template = body ?? '{message}';
  const examples = messages.map(([name, { value, ...rest }]) => [
    name,
    { ...rest, value: filled(template, { message: String(value), status }) as Json },
  ]);
  return { [media ?? mediaOf(template)]: { schema: schemaOf(template), examples: Object.fromEntries(examples) } };
}

/** Two responses under one status. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const content: JsonObject = structuredClone((one.content ?? {}) as JsonObject);
  for (const [media, added] of Object.entries((other.content ?? {}) as Record<string, JsonObject>)) {
    const there = content[media];
    content[media] = isObject(there) ? joinedMedia(there, added) : added;
  }
  const codes = [...((one['x-refusals'] ?? []) as string[]), ...((other['x-refusals'] ?? []) as string[])];
  const description = [...new Set([one.description, other.description])].join(' ');
  const whole: JsonObject = { ...one, ...other, description };
  if (codes.length > 0) whole['x-refusals'] = codes;
  delete whole.content;
  return Object.keys(content).length === 0 ? whole : { ...whole, content };
}

function joinedMedia(one: JsonObject, other: JsonObject): JsonObject {
  const alike = JSON.stringify(one.schema) === JSON.stringify(other.schema);
  const schema = alike ? one.schema : { anyOf: [one.schema as Json, other.schema as Json] };
  const examples = { ...(one.examples as JsonObject) };
  for (const [name, example] of Object.entries((other.examples ?? {}) as JsonObject))
    examples[name in examples && JSON.stringify(examples[name]) !== JSON.stringify(example) ? `${name}-2` : name] = example;
  return { ...one, schema: schema as Json, examples };
}
