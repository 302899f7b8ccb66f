import { isUtf8 } from 'node:buffer';
import type { Behaviors } from '../../../openapi/generated/clauses.ts';
import type { ServiceRequest } from '../../pipeline/exchange.ts';
import { withMidnight } from './dates.ts';
import type { Properties, Property } from './properties.ts';
import { parseNoticing } from './repeated.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The body as an object, or a few words on why it is none. By default it may claim to be of any type (http.content-type), and of a property named
 * twice the last counts (http.repeated-property); `asking` where behaviors differ from the default, for a body of these properties.
 */
export function bodyOf(request: ServiceRequest, asking: Behaviors | undefined, properties: () => Properties): object | string {
  const body = request.body as Buffer | undefined;
  if (!body || body.length === 0) return 'it is empty';
  if (asking?.['http.content-type'] === 'refused' && !isJsonType(request.headers['content-type']))
    return 'its content type is not application/json';
  if (!isUtf8(body)) return 'it is not UTF-8'; // or what is returned could not be what was sent
  const text = body.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null) return `it is ${value === null ? 'null' : `a ${typeof value}`}`;
  if (Array.isArray(value)) return 'it is an array';
  return asking ? asMeant(value as Fields, text, asking, properties()) : value;
}

export function isJsonType(type: ServiceRequest['headers'][string]): boolean {
  return typeof type === 'string' && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
}

/** What a reading takes the body for that the contract alone would refuse, or take otherwise. */
function asMeant(value: Fields, text: string, asking: Behaviors, properties: Properties): object | string {
  let fields = value;
  if (asking['http.repeated-property'] !== 'last') {
    const { first, repeated } = parseNoticing(text);
    if (repeated !== undefined && asking['http.repeated-property'] === 'refused') return `it names ${repeated} more than once`;
    fields = first as Fields;
  }
  const entries = Object.entries(fields).map(([name, field]) => {
    const known = asking['http.property-letter-case'] === 'ignored' && !properties.has(name) ? spelt(name, properties) : name;
    const property = properties.get(known);
    return [known, property ? fieldAsMeant(field, property, asking) : field] as const;
  });
  return Object.fromEntries(entries);
}

function spelt(name: string, properties: Properties): string {
  const lower = name.toLowerCase();
  for (const known of properties.keys()) if (known.toLowerCase() === lower) return known;
  return name;
}

function fieldAsMeant(field: unknown, property: Property, asking: Behaviors): unknown {
  const value = asking['http.wrong-json-type'] === 'converted' ? convertedTo(property, field) : field;
  return property.isMoment && typeof value === 'string' ? withMidnight(value, asking) : value;
}

/** http.wrong-json-type: numbers and truths out of texts and the other way round; what cannot be converted stays, and is refused. */
function convertedTo({ types, entries }: Property, value: unknown): unknown {
  if (entries && typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, convertedTo(entries, entry)]));
  if (typeof value === 'string') {
    if (types.includes('string')) return value;
    if (types.includes('boolean') && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
    if ((types.includes('number') || types.includes('integer')) && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value)) return Number(value);
    return value;
  }
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return isPlain && types.length > 0 && !types.includes(jsonType(value)) && types.includes('string') ? String(value) : value;
}

function jsonType(value: number | boolean): string {
  return typeof value;
}
