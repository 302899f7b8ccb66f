import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Ask } from '../http/exchange.ts';
import type { Entry } from './entries.ts';

/** What came of taking something away: it was there and is not any more, it was not there, no look says whether it is there, or it may well be. */
export type Outcome = 'gone' | 'not-there' | 'unclear' | 'left';

/** Ways of asking with the key of an entry's account. */
export function asking(client: Client, { key }: Pick<Entry, 'key'>) {
  const send = (method: Ask['method'], path: string, query?: Ask['query']) =>
    client.send({ method, path, ...(query ? { query } : {}), ...(key === undefined ? {} : { key }), cleaning: true });
  // A look at many cards is long enough to meet a passing fault, and would begin anew for it.
  const get = async (path: string, query?: Ask['query']) => {
    const answer = await send('GET', path, query).catch((error: unknown) => {
      if (error instanceof TransportError && error.cut) return undefined;
      throw error;
    });
    return answer === undefined || isNotReady(answer.status) ? send('GET', path, query) : answer;
  };
  return {
    get,
    remove: (path: string) => send('DELETE', path),
  };
}

/** What a service answers to a path or a method that it has not got, or not yet. */
export const isMissing = (status: number) => status === 404 || status === 405 || status === 501;

/** What is said by who stands in front of a service, or by one that is just starting. */
export const isNotReady = (status: number) => status >= 502 && status <= 504;

/** The target answers, and does not do it. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;
