import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays } from '../http/json-search.ts';
import { cardOfRecord } from './card-search.ts';
import {
  type CleanupRequests,
  cardPath,
  cleanupRequests,
  idIn,
  type RemovalOutcome,
  type SweepContext,
} from './cleanup-requests.ts';
import { type CardEntry, type Entry, isCard } from './entries.ts';

/** Voids a card and looks it up again: only the look-up is proof. A card without a confirmed creation is looked up first. */
export async function removeCard({ client, entries, search }: SweepContext, entry: CardEntry): Promise<RemovalOutcome> {
  const requests = cleanupRequests(client, entry);
  const isCreated = entry.state === 'created';
  if (entry.recipient !== undefined && entry.code === '') return removeIssuedCards(client, requests, entry, entry.recipient);
  if (entry.code === '' && entry.id === undefined) {
    const result = await search(entry);
    if (result !== 'found') return isCreated ? 'left' : result;
  } else if (!isCreated && entry.code !== '') {
    const answer = await requests.get(cardPath('Get', 'Code', entry.code));
    if (provesAbsent(answer, entry, entries)) return 'absent';
    if ((!entry.own && entry.mark === undefined) || answer.status !== 200) return 'left';
    const id = idIn(answer.json);
    if (id !== undefined) entry.id = id;
  }
  return voidCard(requests, entry, namesakes(entry, entries).length > 0);
}

/** Voids by id, which is unique; by code if the id is unknown or voiding by it fails. `hasNamesake`: another card may have the same code. */
async function voidCard(
  { get, remove }: CleanupRequests,
  { code, id }: { readonly code: string; readonly id?: string | number | undefined },
  hasNamesake = false,
): Promise<RemovalOutcome> {
  const names = [...(id === undefined ? [] : [['Id', id] as const]), ...(fitsInPath.test(code) ? [['Code', code] as const] : [])];
  for (const [by, name] of names) {
    const { status } = await remove(cardPath('Void', by, name));
    const after = await get(cardPath('Get', by, name));
    if (isVoided(after, status === 200)) return by === 'Code' && hasNamesake ? 'left' : 'gone';
  }
  return 'left';
}

/** Matches a code that a path can contain: not empty, no dot segment, no slash, no control character. */
const fitsInPath = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

/** Reports whether a look-up shows a voided card. The service may show a voided card past its expiry as expired with balance 0. */
function isVoided({ status, json }: Answer, wasVoided: boolean): boolean {
  const card = json as { status?: unknown; balance?: unknown } | null;
  return status === 200 && (card?.status === 'Voided' || (wasVoided && card?.status === 'Expired' && card.balance === 0));
}

/** Returns the other cards of the run with the same code: the target may accept a code twice. */
const namesakes = (entry: CardEntry, entries: readonly Entry[]): CardEntry[] =>
  entries
    .filter(isCard)
    .filter((each) => each !== entry && each.code === entry.code && each.account === entry.account)
    .filter(({ state }) => state === 'created' || state === 'gone');

/** Reports whether one look-up proves that a refused card does not exist. */
export async function isProvenAbsent(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<boolean> {
  return provesAbsent(await cleanupRequests(client, entry).get(cardPath('Get', 'Code', entry.code)), entry, entries);
}

/** Reports whether the answer to looking up a code shows no card, or an earlier card of the run with the same code. */
function provesAbsent({ status, json }: Answer, entry: CardEntry, entries: readonly Entry[]): boolean {
  if (status === 404 || entry.state !== 'doubted') return status === 404;
  // A refused code that is too odd to create is too odd to look up.
  if ([400, 414, 422].includes(status)) return true;
  return status === 200 && namesakes(entry, entries).some(({ id }) => id === idIn(json));
}

/** Milliseconds until the card of an event is sent to its recipient. A search by recipient finds the card only then. */
const SENDING_TIME = 2_000;
const POLL_INTERVAL = 250;

/** Voids all cards that one event has issued to its recipient. */
async function removeIssuedCards(
  client: Client,
  { get, ...requests }: CleanupRequests,
  { state }: CardEntry,
  emailAddress: string,
): Promise<RemovalOutcome> {
  const isCreated = state === 'created';
  for (let waited = 0; ; waited += POLL_INTERVAL) {
    const { status, json } = await get('/api/GiftCard/GetByEmail', { emailAddress });
    const records = status === 200 ? (arrays(json)[0] ?? []) : [];
    for (const record of records) {
      const card = await cardOfRecord(get, record);
      if (!card || (await voidCard({ get, ...requests }, card)) !== 'gone') return 'left';
    }
    if (records.length > 0) return 'gone';
    if (!isCreated) return status === 200 || status === 404 ? 'absent' : 'left';
    if (waited >= SENDING_TIME) return 'left';
    await client.rate.wait(POLL_INTERVAL, 'rest');
  }
}
