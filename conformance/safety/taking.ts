import type { Client } from '../client.ts';
import type { Ask } from '../exchange.ts';
import type { Entry } from './entries.ts';

/** What came of taking something away: it was there and is not any more, it was not there, or nobody knows. */
export type Outcome = 'gone' | 'not-there' | 'left';

/** Ways of asking with the key of an entry's account. */
export function asking(client: Client, { key }: Pick<Entry, 'key'>) {
  const send = (method: Ask['method'], path: string, query?: Ask['query']) =>
    client.send({ method, path, ...(query ? { query } : {}), ...(key === undefined ? {} : { key }), cleaning: true });
  return {
    get: (path: string, query?: Ask['query']) => send('GET', path, query),
    remove: (path: string) => send('DELETE', path),
  };
}

/** What a service answers to a path or a method that it has not got, or not yet. */
export const isMissing = (status: number) => status === 404 || status === 405 || status === 501;

/** The target answers, and does not do it. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;
