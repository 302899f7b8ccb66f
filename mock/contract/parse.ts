import { isUtf8 } from 'node:buffer';
import type { Parameter } from './operation.ts';
import { decoded } from './router.ts';

/** Converts a request's texts to JSON values. A text that is not of the wanted type stays a text, so that the schema check rejects the text. */

/** Returns the values of path and query parameters by name. The first value of a repeated query parameter counts (http.repeated-parameter). */
export function parametersOf(
  parameters: readonly Parameter[],
  path: Readonly<Record<string, string>>,
  query: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const search = query === '' ? undefined : new URLSearchParams(query);
  for (const { name, schema, in: where } of parameters) {
    const text = where === 'path' ? decoded(path[name] ?? '') : search?.get(name);
    if (typeof text === 'string') values[name] = converted(text, schema.type);
    else if (schema.default !== undefined) values[name] = schema.default;
  }
  return values;
}

export function converted(text: string, type: Parameter['schema']['type']): unknown {
  const is = (wanted: string) => type === wanted || (Array.isArray(type) && type.includes(wanted));
  if (is('integer')) return /^[+-]?\d+$/.test(text) ? Number(text) : text;
  if (is('number')) return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (is('boolean')) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/**
 * Returns the body as an object. If the body is not an object, returns the reason as the end of a sentence. Any content type is accepted
 * (http.content-type). The last value of a repeated property counts (http.repeated-property).
 */
export function jsonObjectIn(body: Buffer | undefined): object | string {
  if (!body || body.length === 0) return 'it is empty';
  if (!isUtf8(body)) return 'it is not UTF-8'; // A response could not return text in another encoding unchanged.
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null) return `it is ${value === null ? 'null' : `a ${typeof value}`}`;
  return Array.isArray(value) ? 'it is an array' : value;
}
