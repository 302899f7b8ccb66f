import type { Client } from '../http/client.ts';
import { type CleanupRequests, cleanupRequests, isRefusal, isVoided, type Outcome } from './cleanup-requests.ts';
import { type CardEntry, type Entry, refusedAccounts } from './entries.ts';
import type { FindByMarker } from './find-by-marker.ts';
import { removeIssuedCards } from './issued-card-cleanup.ts';
import { removeRefusedCard } from './refused-card-cleanup.ts';

/** Voids a card and looks it up again: only the look-up is proof. */
export async function removeCard(
  client: Client,
  entry: CardEntry,
  entries: readonly Entry[],
  markers: FindByMarker,
): Promise<Outcome> {
  if (entry.recipient !== undefined && entry.code === '') return removeIssuedCards(client, entry, entry.recipient);
  if (entry.state === 'doubted' && entry.code !== '') return removeRefusedCard(client, entry, entries);
  if (entry.code === '' && entry.id === undefined) {
    const search = await markers.find(entry);
    if (search !== 'there') return entry.made ? 'left' : search === 'absent' ? 'not-there' : 'unclear';
  }
  const requests = cleanupRequests(client, entry);
  if (entry.id !== undefined && !fitsInPath.test(entry.code)) return voidById(requests, entry.id);
  return voidByCode(requests, entry, hasTwin(entry, entries));
}

async function voidByCode(requests: CleanupRequests, entry: CardEntry, hasTwin: boolean): Promise<Outcome> {
  const code = encodeURIComponent(entry.code);
  const lookUp = () => requests.get(`/api/GiftCard/GetByCode/${code}`);
  if (entry.voided && !hasTwin && isVoided(await lookUp(), true)) return 'gone';
  const mayBeAnothers = !entry.own && entry.mark === undefined && !entry.made;
  if (mayBeAnothers) return (await lookUp()).status === 404 ? 'not-there' : 'left';

  const voided = await requests.remove(`/api/GiftCard/VoidByCode/${code}`);
  if (isRefusal(voided.status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
  const after = await lookUp();
  if (isVoided(after, voided.status === 200) && !hasTwin) return 'gone';
  if (after.status === 404 && !entry.made) return 'not-there';

  const outcomeByCode = after.status === 200 ? 'left' : 'unclear';
  if (entry.id === undefined) return outcomeByCode;
  // The code leads nowhere, or to another card as well. A service that confirmed the card still has it under its id.
  const outcomeById = await voidById(requests, entry.id);
  if (outcomeById !== 'gone') return outcomeById === 'left' ? 'left' : outcomeByCode;
  const last = await lookUp();
  return last.status === 404 || isVoided(last) ? 'gone' : 'left';
}

async function voidById(requests: CleanupRequests, id: string | number): Promise<Outcome> {
  const { status } = await requests.remove(`/api/GiftCard/VoidById/${encodeURIComponent(id)}`);
  const after = await requests.get(`/api/GiftCard/GetById/${encodeURIComponent(id)}`);
  if (isVoided(after, status === 200)) return 'gone';
  return after.status === 200 ? 'left' : 'unclear';
}

/** A code that a path can carry: not empty, no dot segment, no slash, no control character. */
const fitsInPath = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

/** Whether the target accepted two cards with one code. */
function hasTwin(card: CardEntry, entries: readonly Entry[]): boolean {
  const same = entries.filter(
    (each) => each.kind === 'card' && each.code === card.code && each.account === card.account && each.made,
  );
  return same.length > 1;
}
