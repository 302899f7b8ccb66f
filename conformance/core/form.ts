import type { Answer } from '../http/exchange.ts';
import { constantOf, templateOf } from '../learn/template.ts';
import { type Shown, type SomethingElse, somethingElse } from './clause.ts';

type Form = 'plain-text' | 'empty' | 'json-message' | 'problem-details';

/** What stands in the place of a refusal's message, whatever its words are. */
export function formOf(answer: Answer): Form | SomethingElse {
  const { body, json, contentType } = answer;
  if (body.trim() === '') return 'empty';
  if (/html|xml/i.test(contentType))
    return somethingElse(`a page of ${contentType}`, { body: '{message}', media: mediaIn(contentType) });
  if (typeof json !== 'object' || json === null)
    return json === undefined || !/json/i.test(contentType)
      ? 'plain-text'
      : somethingElse('a single JSON value', bodyShown(answer));
  if (/problem\+json/i.test(contentType)) return 'problem-details';
  if (!Array.isArray(json) && typeof (json as { message?: unknown }).message === 'string') return 'json-message';
  return somethingElse(Array.isArray(json) ? 'a JSON array' : told(json), bodyShown(answer));
}

/** A refusal's JSON as a row has it. */
export const bodyShown = ({ json, status, contentType }: Answer): Shown => ({
  body: templateOf(json ?? null, status),
  media: mediaIn(contentType),
});

const mediaIn = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? '';

/** A success with another body than was foreseen: as a row has it, unless something in it is new each time. */
export function otherBody(json: unknown, part?: { readonly schema: string; readonly path: string }): SomethingElse {
  const body = constantOf(json, part);
  return somethingElse(told(json), body === undefined ? undefined : { body });
}

const told = (json: unknown): string =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
    ? `a JSON object of ${Object.keys(json).slice(0, 8).join(', ')}`
    : 'another body';

/** A status that is one of the behaviors, or in words what it is. */
export function statusOf<S extends string>({ status }: Answer, ...behaviors: readonly S[]): S | SomethingElse {
  return behaviors.find((reading) => reading === `${status}`) ?? somethingElse(`answers ${status}`, { status });
}

/** Refused or taken, where a reading has a name for either. */
export function taken<R extends string, A extends string>({ status }: Answer, refused: R, accepted: A): R | A | SomethingElse {
  if (status === 200) return accepted;
  return status === 400 || status === 415 || status === 422 ? refused : somethingElse(`answers ${status}`);
}
