import { isObject, type Json } from '../../openapi/document.ts';
import { type ObservedResponse, type Unlisted, unlisted } from '../core/rule.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { instantOf, leaves } from '../http/json-search.ts';

export const optionFor = <const O extends string>(
  value: unknown,
  options: Readonly<Record<string, O>>,
  words = `is ${String(value)}`,
): O | Unlisted => (Object.hasOwn(options, `${value}`) ? (options[`${value}`] as O) : unlisted(words));

export function statusOption<S extends string>(
  { status }: Pick<TargetResponse, 'status'>,
  ...options: readonly S[]
): S | Unlisted {
  return options.find((option) => option === String(status)) ?? unlisted(`returns ${status}`, { status });
}

export const rejectedOr = <R extends string, A extends string>(
  { status }: Pick<TargetResponse, 'status'>,
  rejected: R,
  accepted: A,
) => optionFor<R | A>(status, { 200: accepted, 400: rejected, 422: rejected }, `returns ${status}`);

export function messageForm(response: TargetResponse): 'plain-text' | 'empty' | 'json-message' | 'problem-details' | Unlisted {
  const { body, json, contentType } = response;
  if (body.trim() === '') return 'empty';
  if (/html|xml/i.test(contentType))
    return unlisted(`a page of ${contentType}`, { body: '{message}', media: mediaType(contentType) });
  if (typeof json !== 'object' || json === null)
    return json === undefined || !/json/i.test(contentType) ? 'plain-text' : unlisted('a JSON value', rejectionLike(response));
  if (/problem\+json/i.test(contentType)) return 'problem-details';
  if (!Array.isArray(json) && typeof (json as { message?: unknown }).message === 'string') return 'json-message';
  return unlisted(inWords(json), rejectionLike(response));
}

export function dateForm(text: string) {
  if (/:\d\d\.\d{3}Z$/.test(text)) return 'milliseconds-and-z';
  if (/:\d\dZ$/.test(text)) return 'seconds-and-z';
  return /\d:\d\d:\d\d(\.\d+)?$/.test(text) ? 'without-zone' : unlisted(`written as ${text.replace(/\d/g, '0')}`);
}

/** Returns the JSON of a rejection as the body of an override. Replaces the status and the message by placeholders, and generated values by ''. */
export function rejectionLike({ json, status, contentType }: TargetResponse): ObservedResponse {
  const texts = leaves(json).filter(({ value }) => typeof value === 'string' && !isGenerated(value));
  const longest = texts.toSorted((one, other) => String(other.value).length - String(one.value).length)[0];
  const message = texts.find(({ path }) => /\/(message|details?|description|reason)$/i.test(path)) ?? longest;
  const body = template(json ?? null, (value, path) => {
    if (value === status) return '{status}';
    if (path === message?.path) return '{message}';
    if (path !== '' && isErrorsByField(value)) return '{errors}';
    return isGenerated(value) ? '' : undefined;
  });
  return { body, media: mediaType(contentType) };
}

const mediaType = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** Returns the option for the body of a success. `card` is the path of the card in the body. */
export function successBody({ json, body }: TargetResponse, card?: string): 'true' | 'empty' | Unlisted {
  if (json === true) return 'true';
  return body.trim() === '' ? 'empty' : otherBody(json, card);
}

/** Describes an unexpected body of a success. If the body has a value that changes with every response, an override cannot set the body. */
function otherBody(json: unknown, card?: string): Unlisted {
  if (json === undefined) return unlisted(inWords(json));
  const body = template(json, (_, path) => (path === card ? { $schema: 'GiftCard' } : undefined));
  return leaves(body).some(({ value }) => isGenerated(value)) ? unlisted(inWords(json)) : unlisted(inWords(json), { body });
}

function inWords(json: unknown): string {
  if (Array.isArray(json)) return 'a JSON array';
  return isObject(json) ? `a JSON object with ${Object.keys(json).toSorted().slice(0, 8).join(', ')}` : 'another body';
}

function template(value: unknown, replacement: (value: unknown, path: string) => Json | undefined, path = ''): Json {
  const other = replacement(value, path);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((each, index) => template(each, replacement, `${path}/${index}`));
  if (!isObject(value)) return value as Json;
  const entries = Object.entries(value).map(([name, each]) => [name, template(each, replacement, `${path}/${name}`)]);
  return Object.fromEntries(entries);
}

/** Reports whether a value is an object whose properties are lists of texts, such as errors by field. */
function isErrorsByField(value: unknown): boolean {
  const lists = isObject(value) ? Object.values(value) : [];
  const isTexts = (list: unknown) => Array.isArray(list) && list.length > 0 && list.every((each) => typeof each === 'string');
  return lists.length > 0 && lists.every(isTexts);
}

/** Reports whether a value is a time, or a single long word with digits, such as a trace ID. */
const isGenerated = (value: unknown): boolean =>
  instantOf(value) !== undefined || (typeof value === 'string' && /^(?=\S*\d)[\w:.-]{12,}$/.test(value));
