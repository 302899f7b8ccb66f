import { asObject, isObject, type Json, type JsonObject, resolve, responseSchemaOf, valueAt } from '../document.ts';
import type { OverridePlan } from './plan.ts';
import { schemaName } from './schemas.ts';
import { put, type Translate, type Translator } from './translate.ts';

interface Filling {
  readonly message?: string;
  readonly status?: number | undefined;
  /** Messages by field. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Returns the part of the response that has this schema. With `isList`, returns the part that is a list of items with this schema. */
  part?(schema: string, isList: boolean): unknown;
}

/** Returns the body that an override's template describes. */
export function filled(template: Json, filling: Filling): unknown {
  if (typeof template === 'string') {
    if (template === '{status}') return filling.status;
    if (template === '{errors}') return filling.errors ?? {};
    return template.replaceAll('{message}', filling.message ?? '');
  }
  if (Array.isArray(template)) {
    const isList = isObject(template[0]) && template[0].$schema;
    return typeof isList === 'string' ? filling.part?.(isList, true) : template.map((each) => filled(each, filling));
  }
  if (!isObject(template)) return template;
  if (typeof template.$schema === 'string') return filling.part?.(template.$schema, false);
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, filling)]));
}

/** Returns the schema of the bodies that a template describes. */
export function schemaOf(template: Json): JsonObject {
  if (template === null) return { type: 'null' };
  if (template === '{errors}') return { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };
  if (typeof template === 'string') return { type: template === '{status}' ? 'integer' : 'string' };
  if (typeof template !== 'object') return { type: typeof template, const: template };
  if (Array.isArray(template)) return { type: 'array', items: template[0] === undefined ? {} : schemaOf(template[0]) };
  if (typeof template.$schema === 'string') return { $ref: `#/components/schemas/${template.$schema}` };
  const properties = Object.fromEntries(Object.entries(template).map(([key, value]) => [key, schemaOf(value)]));
  return { type: 'object', required: Object.keys(properties), properties };
}

/** Returns the default media type of a body: plain text for a string, otherwise JSON. */
export function mediaOf(template: Json): string {
  return typeof template === 'string' ? 'text/plain' : 'application/json';
}

/** Finds the part of a response that has this schema, and returns its path. If the response has no such part, returns undefined. */
export function pathOfPart(
  document: JsonObject,
  response: Json | undefined,
  schema: string,
  isList: boolean,
): string[] | undefined {
  const fits = (node: Json | undefined) =>
    isObject(node) && (isList ? isObject(node.items) && schemaName(node.items.$ref) : schemaName(node.$ref)) === schema;
  if (fits(response)) return [];
  if (!isObject(response)) return undefined;
  const properties = Object.entries(asObject(resolve(document, response).properties));
  const found = properties.find(([, property]) => fits(property));
  return found && [found[0]];
}

/**
 * Returns a function that translates an operation's response to its body on the wire. If no override changes the body, returns undefined. The document
 * still has the contract's own names. Values of the schemas in `rendered` are not translated: they already have the form on the wire.
 */
export function responseTranslator(
  document: JsonObject,
  operation: JsonObject,
  plan: OverridePlan,
  translator: Translator,
  rendered: ReadonlySet<string>,
): Translate | undefined {
  const id = String(operation.operationId);
  const response = responseSchemaOf(document, operation);
  const partIn = (value: unknown) => (schema: string, isList: boolean) => {
    const part = valueAt(value, pathOfPart(document, response, schema, isList) ?? []);
    const reference = { $ref: `#/components/schemas/${schema}` };
    const translate = translator.outward(isList ? { type: 'array', items: reference } : reference, rendered);
    return translate ? translate(part) : part;
  };
  const template = plan.responseOverrides.get(id)?.body;
  const body: Translate | undefined =
    template === undefined ? translator.outward(response, rendered) : (value) => filled(template, { part: partIn(value) });
  const steps = plan.wraps.get(id);
  if (!steps) return body;
  return (value) => {
    const whole = {};
    put(whole, steps, body ? body(value) : value);
    return whole;
  };
}
