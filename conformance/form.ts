import { type SomethingElse, somethingElse } from './clause.ts';
import type { Answer } from './client.ts';

type Form = 'plain-text' | 'empty' | 'json-message' | 'problem-details';

/** What stands in the place of a refusal's message, whatever its words are. */
export function formOf({ body, json, contentType }: Answer): Form | SomethingElse {
  if (body.trim() === '') return 'empty';
  if (/html|xml/i.test(contentType)) return somethingElse(`a page of ${contentType}`);
  if (typeof json !== 'object' || json === null)
    return json === undefined || !/json/i.test(contentType) ? 'plain-text' : somethingElse('a single JSON value');
  if (/problem\+json/i.test(contentType)) return 'problem-details';
  if (!Array.isArray(json) && typeof (json as { message?: unknown }).message === 'string') return 'json-message';
  return somethingElse(Array.isArray(json) ? 'a JSON array' : `a JSON object of ${Object.keys(json).slice(0, 8).join(', ')}`);
}

/** A status that is one of the readings, or in words what it is. */
export function statusOf<S extends string>({ status }: Answer, ...readings: readonly S[]): S | SomethingElse {
  return readings.find((reading) => reading === `${status}`) ?? somethingElse(`answers ${status}`);
}

/** Refused or taken, where a reading has a name for either. */
export function taken<R extends string, A extends string>({ status }: Answer, refused: R, accepted: A): R | A | SomethingElse {
  if (status === 200) return accepted;
  return status === 400 || status === 415 || status === 422 ? refused : somethingElse(`answers ${status}`);
}
