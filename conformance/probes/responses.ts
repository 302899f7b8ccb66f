import { isObject, type Json } from '../../openapi/document.ts';
import { type ObservedResponse, type Unlisted, unlisted } from '../core/clause.ts';
import type { Answer } from '../http/exchange.ts';
import { instantOf, leaves } from '../http/json-search.ts';

/** What a response looks like, as an option or in words. */

/** The option that the status is. */
export function statusOption<S extends string>({ status }: Pick<Answer, 'status'>, ...options: readonly S[]): S | Unlisted {
  return options.find((option) => option === String(status)) ?? unlisted(`answers ${status}`, { status });
}

/** The option for a request that the target rejects, or the one for a request that it accepts. */
export function rejectedOr<R extends string, A extends string>(
  { status }: Pick<Answer, 'status'>,
  rejected: R,
  accepted: A,
): R | A | Unlisted {
  if (status === 200) return accepted;
  return status === 400 || status === 422 ? rejected : unlisted(`answers ${status}`);
}

type MessageForm = 'plain-text' | 'empty' | 'json-message' | 'problem-details';

/** The form of a rejection's body. Its words do not matter. */
export function messageForm(answer: Answer): MessageForm | Unlisted {
  const { body, json, contentType } = answer;
  if (body.trim() === '') return 'empty';
  if (/html|xml/i.test(contentType))
    return unlisted(`a page of ${contentType}`, { body: '{message}', media: mediaType(contentType) });
  if (typeof json !== 'object' || json === null)
    return json === undefined || !/json/i.test(contentType) ? 'plain-text' : unlisted('a JSON value', rejectionLike(answer));
  if (/problem\+json/i.test(contentType)) return 'problem-details';
  if (!Array.isArray(json) && typeof (json as { message?: unknown }).message === 'string') return 'json-message';
  return unlisted(inWords(json), rejectionLike(answer));
}

/** A rejection's JSON as an override describes it. */
export const rejectionLike = ({ json, status, contentType }: Answer): ObservedResponse => ({
  body: templateOf(json ?? null, status),
  media: mediaType(contentType),
});

const mediaType = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** A success with an unexpected body. An override describes it unless it holds a value that is new in every response. */
export function otherBody(json: unknown, card?: string): Unlisted {
  const changes = leaves(json).some(
    ({ path, value }) => isGenerated(value) && !(card !== undefined && `${path}/`.startsWith(`${card}/`)),
  );
  return json === undefined || changes ? unlisted(inWords(json)) : unlisted(inWords(json), { body: withCard(json, card, '') });
}

function inWords(json: unknown): string {
  if (Array.isArray(json)) return 'a JSON array';
  return isObject(json) ? `a JSON object with ${Object.keys(json).slice(0, 8).join(', ')}` : 'another body';
}

/** The body of a rejection with the placeholders `{message}`, `{status}` and `{errors}`, and without generated values. */
function templateOf(json: unknown, status: number): Json {
  const texts = leaves(json).filter(({ value }) => typeof value === 'string' && !isGenerated(value));
  const byLength = texts.toSorted((one, other) => String(other.value).length - String(one.value).length);
  const message = (texts.find(({ path }) => /\/(message|details?|description|reason)$/i.test(path)) ?? byLength[0])?.path;
  const template = (value: unknown, path: string): Json => {
    if (Array.isArray(value)) return value.map((each, index) => template(each, `${path}/${index}`));
    if (isObject(value))
      return path !== '' && isErrorsByField(value)
        ? '{errors}'
        : mapped(value, (each, name) => template(each, `${path}/${name}`));
    if (value === status) return '{status}';
    if (path === message) return '{message}';
    return isGenerated(value) ? '' : (value as Json);
  };
  return template(json, '');
}

function withCard(json: unknown, card: string | undefined, path: string): Json {
  if (path === card) return { $schema: 'GiftCard' };
  if (Array.isArray(json)) return json.map((each, index) => withCard(each, card, `${path}/${index}`));
  return isObject(json) ? mapped(json, (each, name) => withCard(each, card, `${path}/${name}`)) : (json as Json);
}

const mapped = (object: object, map: (value: unknown, name: string) => Json): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));

const isErrorsByField = (json: object): boolean => {
  const lists = Object.values(json);
  return (
    lists.length > 0 &&
    lists.every((list) => Array.isArray(list) && list.length > 0 && list.every((each) => typeof each === 'string'))
  );
};

/** A time, or a single long word with digits, such as a trace ID. */
const isGenerated = (value: unknown): boolean =>
  instantOf(value) !== undefined || (typeof value === 'string' && /^(?=\S*\d)[\w:.-]{12,}$/.test(value));
