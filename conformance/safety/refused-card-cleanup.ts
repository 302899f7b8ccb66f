import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { cleanupRequests, isRefusal, isVoided, type Outcome } from './cleanup-requests.ts';
import { type CardEntry, type Entry, refusedAccounts } from './entries.ts';

/** Looks up a card whose creation was refused, and voids it if it exists all the same. */
export async function removeRefusedCard(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<Outcome> {
  const { answer, key } = await lookUp(client, entry);
  if (provesAbsent(answer, entry, entries)) return 'not-there';
  if (answer.status !== 200) return 'unclear';
  const { get, remove } = cleanupRequests(client, { key });
  const { id } = (answer.json ?? {}) as { id?: unknown };
  if (typeof id === 'string' || typeof id === 'number') entry.id = id;
  const [by, name] = entry.id === undefined ? ['Code', entry.code] : ['Id', entry.id];
  const voided = await remove(`/api/GiftCard/VoidBy${by}/${encodeURIComponent(name)}`);
  return isVoided(await get(`/api/GiftCard/GetBy${by}/${encodeURIComponent(name)}`), voided.status === 200) ? 'gone' : 'left';
}

/** Whether one look-up proves that a refused card does not exist. */
export async function isProvenAbsent(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<boolean> {
  const { answer } = await lookUp(client, entry);
  return provesAbsent(answer, entry, entries);
}

/** Whether the answer to looking up a refused code shows no card, or an earlier card of the run with the same code. */
export function provesAbsent({ status, json }: Answer, { code, account }: CardEntry, entries: readonly Entry[]): boolean {
  // A code too odd to create is too odd to look up.
  if ([400, 404, 414, 422].includes(status)) return true;
  const { id } = (json ?? {}) as { id?: unknown };
  const isEarlier = (each: Entry) =>
    each.kind === 'card' && each.made && each.id === id && each.code === code && each.account === account;
  return status === 200 && entries.some(isEarlier);
}

/** Looks up by code with the key of the create, or with the run's key when the service refuses that one as it should. */
async function lookUp(client: Client, entry: CardEntry): Promise<{ answer: Answer; key: string | undefined }> {
  const path = `/api/GiftCard/GetByCode/${encodeURIComponent(entry.code)}`;
  const answer = await cleanupRequests(client, entry).get(path);
  const isKeyRefused = refusedAccounts.has(entry.account) && isRefusal(answer.status) && answer.status !== 404;
  if (!isKeyRefused) return { answer, key: entry.key };
  return { answer: await cleanupRequests(client, { key: undefined }).get(path), key: undefined };
}
