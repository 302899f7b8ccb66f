import { isObject, type Json } from '../../openapi/document.ts';
import { instantOf, leaves } from '../http/structure.ts';

/**
 * A refusal's body as a row has it: its status as {status}, what is wrong by field as {errors}, and its message as {message}. What is new in every
 * answer, such as a number of it or a time, is left empty; everything else is as it was.
 */
export function templateOf(json: unknown, status: number): Json {
  const texts = leaves(json).filter(({ value }) => typeof value === 'string' && !isNew(value));
  const message = texts.find(({ path }) => /\/(message|detail|details|description|reason)$/i.test(path)) ?? longest(texts);
  return templated(json, status, '', message?.path);
}

function templated(json: unknown, status: number, path: string, message: string | undefined): Json {
  if (Array.isArray(json)) return json.map((each, index) => templated(each, status, `${path}/${index}`, message));
  if (isObject(json)) {
    if (path !== '' && isByField(json)) return '{errors}';
    return Object.fromEntries(
      Object.entries(json).map(([name, value]) => [name, templated(value, status, `${path}/${name}`, message)]),
    );
  }
  if (json === status) return '{status}';
  if (path === message) return '{message}';
  if (typeof json === 'string') return isNew(json) ? '' : json;
  return json as Json;
}

/** An object of lists of texts. */
const isByField = (json: object): boolean =>
  Object.values(json).length > 0 &&
  Object.values(json).every(
    (value) => Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'),
  );

const longest = (texts: readonly { path: string; value: unknown }[]) =>
  texts.toSorted((one, other) => String(other.value).length - String(one.value).length)[0];

/** A time, or one word with figures in it, as nobody writes by hand. */
const isNew = (value: unknown): boolean =>
  instantOf(value) !== undefined || (typeof value === 'string' && /^(?=\S*\d)[\w:.-]{12,}$/.test(value));

/** A success's body as a row has it, the same each time but for the part that has a schema; undefined where something else in it is new. */
export function constantOf(json: unknown, part?: { readonly schema: string; readonly path: string }): Json | undefined {
  const isNewBeside = leaves(json).some(({ path, value }) => isNew(value) && !(part && `${path}/`.startsWith(`${part.path}/`)));
  return json === undefined || isNewBeside ? undefined : constant(json, part, '');
}

function constant(json: unknown, part: { readonly schema: string; readonly path: string } | undefined, path: string): Json {
  if (path === part?.path) return { $schema: part.schema };
  if (Array.isArray(json)) return json.map((each, index) => constant(each, part, `${path}/${index}`));
  if (!isObject(json)) return json as Json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, constant(value, part, `${path}/${name}`)]));
}
