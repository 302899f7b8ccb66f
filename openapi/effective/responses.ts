import { asObject, type Json, type JsonObject, listIn, objectsIn, operationsOf, resolve, successOf } from '../document.ts';
import { filled, mediaOf, schemaOf } from './bodies.ts';
import type { OverridePlan, ResponseOverrides } from './plan.ts';

/** Gives every 2xx response its status, media type and body. The examples must already be translated. Writes into the document. */
export function placeSuccesses(document: JsonObject, plan: OverridePlan): void {
  for (const { id, node } of operationsOf(document)) {
    const steps = plan.wraps.get(id);
    const { status, media, body } = plan.responseOverrides.get(id) ?? {};
    if (!steps && status === undefined && media === undefined && body === undefined) continue;
    const [before, shared] = successOf(node);
    const response = structuredClone(resolve(document, shared));
    const [[type, content] = ['application/json', {}]] = objectsIn(response.content);
    if (body === null) delete response.content;
    else {
      const schema = body === undefined ? (content.schema ?? true) : schemaOf(body);
      response.content = { [media ?? type]: { ...content, schema: steps ? wrapped(steps, schema) : schema } };
    }
    const { [before]: _, ...others } = asObject(node.responses);
    node.responses = { ...others, [String(status ?? before)]: response };
  }
}

function wrapped(steps: readonly string[], schema: Json): Json {
  return steps.reduceRight<Json>((inner, step) => ({ type: 'object', required: [step], properties: { [step]: inner } }), schema);
}

/** Gives every refusal its status, media type and body, in every response that lists the refusal. Writes into the document. */
export function placeRefusals(document: JsonObject, { responseOverrides }: OverridePlan): void {
  const place = (responses: Json | undefined): JsonObject => {
    const placed: JsonObject = {};
    for (const [status, response] of objectsIn(responses)) {
      for (const [newStatus, part] of split(document, status, response, responseOverrides)) {
        const other = placed[newStatus];
        placed[newStatus] = other ? joined(resolve(document, other), resolve(document, part)) : part;
      }
    }
    return placed;
  };
  for (const { node } of operationsOf(document)) node.responses = place(node.responses);
  document['x-outside-operations'] = place(document['x-outside-operations']);
}

/** Splits a response. Refusals with equal status, media type and body share a new response. Without overrides, returns the response unchanged. */
function split(
  document: JsonObject,
  status: string,
  response: JsonObject,
  responseOverrides: OverridePlan['responseOverrides'],
): (readonly [status: string, response: JsonObject])[] {
  const { 'x-refusals-elsewhere': _, content, ...others } = resolve(document, response);
  const { here, elsewhere } = refusalsOf(resolve(document, response));
  const groups = new Map<string, { overrides: ResponseOverrides; codes: string[] }>();
  for (const code of [...here, ...elsewhere.filter((each) => responseOverrides.get(each)?.status !== undefined)]) {
    const overrides = { status: Number(status), ...responseOverrides.get(code) };
    // An array holds the body, because JSON writes null for an empty body and also for a missing value.
    const key = JSON.stringify([overrides.status, overrides.media, 'body' in overrides ? [overrides.body] : []]);
    groups.set(key, { overrides, codes: [...(groups.get(key)?.codes ?? []), code] });
  }
  const unchanged = JSON.stringify([Number(status), undefined, []]);
  if (Array.from(groups.keys()).every((key) => key === unchanged)) return [[status, response]];
  return Array.from(groups.values(), ({ overrides, codes: refusals }) => {
    const newContent = contentOf(overrides, content, refusals);
    const part: JsonObject = { ...others, 'x-refusals': refusals, ...(newContent ? { content: newContent } : {}) };
    return [String(overrides.status), part];
  });
}

/** Returns the refusals of a response. A refusal in `elsewhere` exists only with an option, and the option sets its status. */
export function refusalsOf(response: JsonObject): { readonly here: string[]; readonly elsewhere: string[] } {
  return {
    here: listIn(response['x-refusals']).map(String),
    elsewhere: listIn(response['x-refusals-elsewhere']).map(String),
  };
}

/** Returns every refusal code of the document. */
export function refusalCodes(document: JsonObject): { readonly here: ReadonlySet<string>; readonly all: ReadonlySet<string> } {
  const responses = operationsOf(document).flatMap(({ node }) => Object.values(asObject(node.responses)));
  const outside = Object.values(asObject(document['x-outside-operations']));
  const lists = [...responses, ...outside].map((response) => refusalsOf(resolve(document, response)));
  const here = lists.flatMap((list) => list.here);
  return { here: new Set(here), all: new Set([...here, ...lists.flatMap((list) => list.elsewhere)]) };
}

/** Returns the content of a response for these refusals, with the contract's examples. If no refusal has an example, makes an example. */
function contentOf({ status, media, body }: ResponseOverrides, content: Json | undefined, codes: readonly string[]) {
  if (body === null) return undefined;
  const template = body ?? '{message}';
  const all = objectsIn(content).flatMap(([, { examples }]) => objectsIn(examples));
  const own = all.filter(([name]) => codes.includes(name));
  const [code = ''] = codes;
  const made: [string, JsonObject] = [code, { summary: code, value: `The request was refused (${code}).` }];
  const examples = (own.length > 0 ? own : [made]).map(([name, { value, ...rest }]) => {
    const message = String(value);
    return [name, { ...rest, value: filled(template, { message, status }) }];
  });
  return { [media ?? mediaOf(template)]: { schema: schemaOf(template), examples: Object.fromEntries(examples) } };
}

/** Joins two responses with one status. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const content = Object.fromEntries(objectsIn(one.content));
  for (const [media, added] of objectsIn(other.content))
    content[media] = content[media] ? joinedMedia(content[media], added) : added;
  const { content: _, ...whole } = { ...one, ...other };
  const codes = [one, other].flatMap((each) => refusalsOf(each).here);
  const description = [...new Set([one.description, other.description])].join(' ');
  return { ...whole, description, 'x-refusals': codes, ...(Object.keys(content).length > 0 ? { content } : {}) };
}

function joinedMedia(one: JsonObject, other: JsonObject): JsonObject {
  const isEqual = JSON.stringify(one.schema) === JSON.stringify(other.schema);
  const examples = { ...asObject(one.examples), ...asObject(other.examples) };
  return { ...one, ...(isEqual ? {} : { schema: { anyOf: [one.schema ?? true, other.schema ?? true] } }), examples };
}
