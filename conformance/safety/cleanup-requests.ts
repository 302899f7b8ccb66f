import { isNotReady, type TargetResponse, TransportError } from '../http/exchange.ts';
import { leaves } from '../http/json-search.ts';
import type { Client } from './client.ts';
import type { TargetRequest } from './effects.ts';
import type { AccountName, LedgerCard, LedgerEntry } from './entries.ts';

/** gone: the record is removed · absent: the record never existed · left: the record may still exist. */
export type RemovalOutcome = 'gone' | 'absent' | 'left';

export interface SweepContext {
  readonly client: Client;
  readonly entries: readonly LedgerEntry[];
  /** Finds a card by its mark. If the card exists, the entry gets the code and id. */
  readonly search: (entry: LedgerCard) => Promise<'found' | 'absent' | 'left'>;
  readonly store: (entry: LedgerEntry) => void;
}

export type CleanupRequests = ReturnType<typeof cleanupRequests>;

/** Accounts whose keys the service must refuse. */
const refusedAccounts: ReadonlySet<AccountName> = new Set(['deletedKey', 'basicKey', 'other']);

/**
 * Returns functions that send requests with the key of an entry's account. If the connection broke or a gateway responded, a look-up is repeated once.
 * The service must refuse some keys, such as a deleted key. If it refuses such a key, the entry can only be on the run's account. The functions then use
 * the run's key.
 */
export function cleanupRequests(client: Client, entry: LedgerEntry) {
  let { key } = entry;
  const send = (method: TargetRequest['method'], path: string, query: TargetRequest['query'] & object = {}) =>
    client.send({ method, path, query, ...(key === undefined ? {} : { key }), entry, cleaning: true });
  const getTwice = async (path: string, query?: TargetRequest['query']) => {
    const response = await send('GET', path, query).catch((error: unknown) => {
      if (error instanceof TransportError && error.cut) return undefined;
      throw error;
    });
    return response === undefined || isNotReady(response.status) ? send('GET', path, query) : response;
  };
  return {
    async get(path: string, query?: TargetRequest['query']): Promise<TargetResponse> {
      const response = await getTwice(path, query);
      const isRefused = response.status >= 400 && response.status < 500 && ![404, 429].includes(response.status);
      if (!isRefused || key === undefined || !refusedAccounts.has(entry.account)) return response;
      key = undefined;
      return getTwice(path, query);
    },
    remove: (path: string) => send('DELETE', path),
  };
}

export const cardPath = (verb: 'Get' | 'Void', by: 'Code' | 'Id', name: string | number) =>
  `/api/GiftCard/${verb}By${by}/${encodeURIComponent(name)}`;

/** Returns the ID of a card, or the ID of a webhook in the response to its creation. Other names than `id` and `hookId` may mean another record. */
export function idIn(json: unknown): string | number | undefined {
  const id = leaves(json).find(({ path }) => /^\/(id|(web)?hook_?id)$/i.test(path))?.value;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
