import { isMissingThroughout, type TargetResponse } from '../http/exchange.ts';
import { arrays } from '../http/json-search.ts';
import { cardOfRecord, type FoundCard } from './card-search.ts';
import {
  type CleanupRequests,
  cardPath,
  cleanupRequests,
  idIn,
  type RemovalOutcome,
  type SweepContext,
} from './cleanup-requests.ts';
import type { Client } from './client.ts';
import { isCard, type LedgerCard, type LedgerEntry } from './entries.ts';

/** Voids a card, and looks up the card to prove the void. If the creation is not confirmed, first looks up the card to check that it exists. */
export async function removeCard({ client, entries, search }: SweepContext, entry: LedgerCard): Promise<RemovalOutcome> {
  if (entry.recipient !== undefined && entry.code === '') return removeIssuedCards(client, entry, entry.recipient);
  const requests = cleanupRequests(client, entry);
  const isCreated = entry.state === 'created';
  if (entry.code === '' && entry.id === undefined) {
    const result = await search(entry);
    if (result !== 'found') return isCreated ? 'left' : result;
  } else if (!isCreated && entry.code !== '') {
    const response = await requests.get(cardPath('Get', 'Code', entry.code));
    if (provesAbsent(response, entry, entries)) return 'absent';
    if ((!entry.own && entry.mark === undefined) || response.status !== 200) return 'left';
    const id = idIn(response.json);
    if (id !== undefined) entry.id = id;
  }
  const outcome = await voidCard(requests, entry, namesakes(entry, entries).length > 0);
  return outcome === 'absent' && isCreated ? 'left' : outcome;
}

/**
 * Voids a card by its unique id. Without an id, voids by code. If `hasNamesake` is true, another card has the same code, so a void by code proves nothing.
 * If the service returns 404 to the void, and the look-up shows no card, the card is absent.
 */
async function voidCard(
  { get, remove }: CleanupRequests,
  { code, id, voided = false }: FoundCard & { readonly voided?: boolean },
  hasNamesake = false,
): Promise<RemovalOutcome> {
  const names = [...(id === undefined ? [] : [['Id', id] as const]), ...(fitsInPath.test(code) ? [['Code', code] as const] : [])];
  for (const [by, name] of names) {
    let isGone = voided && isVoided(await get(cardPath('Get', by, name)), true);
    if (!isGone) {
      const { status } = await remove(cardPath('Void', by, name));
      const look = await get(cardPath('Get', by, name));
      if (status === 404 && by === 'Code' && look.status === 200 && idIn(look.json) === undefined) return 'absent';
      isGone = isVoided(look, status === 200);
    }
    if (isGone) return by === 'Code' && hasNamesake ? 'left' : 'gone';
  }
  return 'left';
}

/** Matches a code that a path can contain: no dot segment, no slash, no control character. */
const fitsInPath = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

/** Reports whether a look-up shows a voided card. After the card's expiry, the service may show a voided card as Expired with balance 0. */
function isVoided({ status, json }: TargetResponse, wasVoided: boolean): boolean {
  const card = json as { status?: unknown; balance?: unknown } | null;
  return status === 200 && (card?.status === 'Voided' || (wasVoided && card?.status === 'Expired' && card.balance === 0));
}

/** Returns the other cards of the run with the same code. A target may accept a code twice. */
const namesakes = (entry: LedgerCard, entries: readonly LedgerEntry[]): LedgerCard[] =>
  entries
    .filter(isCard)
    .filter((each) => each !== entry && each.code === entry.code && each.account === entry.account)
    .filter(({ state }) => state === 'created' || state === 'gone');

/** Reports whether a look-up by code proves that the entry's card does not exist. The look-up may show no card, or another card of the run with the same code. */
export function provesAbsent({ status, json }: TargetResponse, entry: LedgerCard, entries: readonly LedgerEntry[]): boolean {
  if (status === 404 || entry.state !== 'uncertain') return status === 404;
  // A service that refuses to create a card with an odd code also refuses to look up the code.
  if ([400, 414, 422].includes(status)) return true;
  return status === 200 && namesakes(entry, entries).some(({ id }) => id === idIn(json));
}

/** Milliseconds to wait until the service has sent the card of an event. A search by recipient finds only sent cards. */
const SENDING_TIME = 2_000;
const POLL_INTERVAL = 250;
const searchPath = '/api/GiftCard/GetByEmail';

/** Voids all cards that an event has issued to its recipient. */
async function removeIssuedCards(client: Client, entry: LedgerCard, emailAddress: string): Promise<RemovalOutcome> {
  const requests = cleanupRequests(client, entry);
  for (let waited = 0; ; waited += POLL_INTERVAL) {
    const { status, json } = await requests.get(searchPath, { emailAddress });
    const records = status === 200 ? (arrays(json)[0] ?? []) : [];
    for (const record of records) {
      const card = await cardOfRecord(requests.get, record);
      if (!card || (await voidCard(requests, card)) !== 'gone') return 'left';
    }
    if (records.length > 0) return 'gone';
    if (entry.state !== 'created') return status === 200 || status === 404 ? 'absent' : 'left';
    if (waited >= SENDING_TIME || isMissingThroughout(client.exchanges, searchPath)) return 'left';
    await client.rate.wait(POLL_INTERVAL, 'rest');
  }
}
