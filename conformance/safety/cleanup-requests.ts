import { TransportError } from '../core/verdict.ts';
import type { Client } from '../http/client.ts';
import type { Ask } from '../http/exchange.ts';
import { type Entry, refusedAccounts } from './entries.ts';

/** gone: it existed and does no longer · not-there: it never existed · unclear: no look-up shows which · left: it may still exist. */
export type Outcome = 'gone' | 'not-there' | 'unclear' | 'left';

export type CleanupRequests = ReturnType<typeof cleanupRequests>;

/**
 * Requests that clean up an entry, with the key of its account. A look-up is repeated once if the connection broke or a gateway answered. If the service
 * refuses the key, as it should refuse a deleted one, the entry can only be on the account of the run: its key is used from then on.
 */
export function cleanupRequests(client: Client, owner: Entry | Pick<Entry, 'key' | 'account'>) {
  let usedKey = owner.key;
  const send = (method: Ask['method'], path: string, query?: Ask['query']) =>
    client.send({
      method,
      path,
      ...(query ? { query } : {}),
      ...(usedKey === undefined ? {} : { key: usedKey }),
      ...('kind' in owner ? { entry: owner } : {}),
      cleaning: true,
    });
  const getTwice = async (path: string, query?: Ask['query']) => {
    const answer = await send('GET', path, query).catch((error: unknown) => {
      if (error instanceof TransportError && error.cut) return undefined;
      throw error;
    });
    return answer === undefined || isNotReady(answer.status) ? send('GET', path, query) : answer;
  };
  return {
    async get(path: string, query?: Ask['query']) {
      const answer = await getTwice(path, query);
      const isKeyRefused = refusedAccounts.has(owner.account) && isRefusal(answer.status) && answer.status !== 404;
      if (!isKeyRefused || usedKey === undefined) return answer;
      usedKey = undefined;
      return getTwice(path, query);
    },
    remove: (path: string) => send('DELETE', path),
  };
}

/** Statuses for a path or method that the service does not have. */
export const isMissing = (status: number) => status === 404 || status === 405 || status === 501;

/** Statuses of a gateway, or of a service that is starting. */
export const isNotReady = (status: number) => status >= 502 && status <= 504;

/** The service answered, and refused. */
export const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Whether a look-up shows a voided card. A voided card past its expiry may be shown as expired with balance 0. "Not found" proves nothing. */
export function isVoided({ status, json }: { status: number; json: unknown }, wasVoided = false): boolean {
  const card = json as { status?: unknown; balance?: unknown } | null;
  return status === 200 && (card?.status === 'Voided' || (wasVoided && card?.status === 'Expired' && card.balance === 0));
}
