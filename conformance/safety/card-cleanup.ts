import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays } from '../http/json-search.ts';
import { possibleNamesOf } from './card-search.ts';
import { type CleanupRequests, cleanupRequests, isVoided, type Outcome } from './cleanup-requests.ts';
import type { CardEntry, Entry } from './entries.ts';
import type { FindByMarker } from './find-by-marker.ts';

/** Voids a card and looks it up again: only the look-up is proof. A card without a confirmed creation is looked up first. */
export async function removeCard(
  client: Client,
  entry: CardEntry,
  entries: readonly Entry[],
  markers: FindByMarker,
): Promise<Outcome> {
  const requests = cleanupRequests(client, entry);
  if (entry.recipient !== undefined && entry.code === '') return removeIssuedCards(client, requests, entry, entry.recipient);
  if (entry.code === '' && entry.id === undefined) {
    const search = await markers.find(entry);
    if (search !== 'there') return entry.made ? 'left' : search === 'absent' ? 'not-there' : 'unclear';
  } else if (!entry.made && entry.code !== '') {
    const answer = await requests.get(cardPath('Get', 'Code', entry.code));
    if (provesAbsent(answer, entry, entries)) return 'not-there';
    const mayBeAnothers = !entry.own && entry.mark === undefined;
    if (mayBeAnothers || answer.status !== 200) return mayBeAnothers ? 'left' : 'unclear';
    const id = idIn(answer.json);
    if (id !== undefined) entry.id = id;
  }
  return voidCard(requests, entry, entries);
}

/** Voids by id, which is unique; by code if the id is unknown or voiding by it fails. */
async function voidCard(requests: CleanupRequests, entry: CardEntry, entries: readonly Entry[]): Promise<Outcome> {
  const byId = entry.id === undefined ? 'unclear' : await voidBy(requests, 'Id', entry.id, entry.voided);
  if (byId === 'gone' || !fitsInPath.test(entry.code)) return byId;
  const byCode = await voidBy(requests, 'Code', entry.code, entry.voided);
  // One of two cards with this code may still be alive.
  if (byCode === 'gone') return hasTwin(entry, entries) ? 'left' : 'gone';
  return byId === 'left' ? 'left' : byCode;
}

/** `isDone`: a test has already voided the card, so a look-up may be enough. */
async function voidBy(requests: CleanupRequests, by: 'Code' | 'Id', name: string | number, isDone = false): Promise<Outcome> {
  const lookUp = () => requests.get(cardPath('Get', by, name));
  if (isDone && isVoided(await lookUp(), true)) return 'gone';
  const voided = await requests.remove(cardPath('Void', by, name));
  const after = await lookUp();
  if (isVoided(after, voided.status === 200)) return 'gone';
  return after.status === 200 ? 'left' : 'unclear';
}

const cardPath = (verb: 'Get' | 'Void', by: 'Code' | 'Id', name: string | number) =>
  `/api/GiftCard/${verb}By${by}/${encodeURIComponent(name)}`;

/** A code that a path can carry: not empty, no dot segment, no slash, no control character. */
const fitsInPath = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

/** Whether the target accepted two cards with one code. */
function hasTwin(card: CardEntry, entries: readonly Entry[]): boolean {
  const same = entries.filter(
    (each) => each.kind === 'card' && each.code === card.code && each.account === card.account && each.made,
  );
  return same.length > 1;
}

function idIn(json: unknown): string | number | undefined {
  const { id } = (json ?? {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** Whether one look-up proves that a refused card does not exist. */
export async function isProvenAbsent(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<boolean> {
  return provesAbsent(await cleanupRequests(client, entry).get(cardPath('Get', 'Code', entry.code)), entry, entries);
}

/** Whether the answer to looking up a code shows no card, or an earlier card of the run with the same code. */
export function provesAbsent({ status, json }: Answer, entry: CardEntry, entries: readonly Entry[]): boolean {
  // A refused code that is too odd to create is too odd to look up.
  if (status === 404 || (entry.state === 'doubted' && [400, 414, 422].includes(status))) return true;
  const { code, account } = entry;
  const isEarlier = (each: Entry) =>
    each.kind === 'card' && each.made && each.id === idIn(json) && each.code === code && each.account === account;
  return entry.state === 'doubted' && status === 200 && entries.some(isEarlier);
}

/** An issued card is found once it was sent, which may take this long after the event, in milliseconds. */
const SENDING_TIME = 2_000;
const POLL_INTERVAL = 250;

/** Voids every card that was sent to a recipient used by one event only. If there is none, the event created none that can be found. */
async function removeIssuedCards(
  client: Client,
  requests: CleanupRequests,
  entry: CardEntry,
  emailAddress: string,
): Promise<Outcome> {
  const readCards = async () => {
    const { status, json } = await requests.get('/api/GiftCard/GetByEmail', { emailAddress });
    return { status, records: arrays(json)[0] ?? [] };
  };
  let cards = await readCards();
  const mayStillCome = () => entry.made || (entry.state === 'created' && Date.now() - (entry.sent ?? Date.now()) < SENDING_TIME);
  for (let tries = SENDING_TIME / POLL_INTERVAL; tries > 0 && mayStillCome() && cards.records.length === 0; tries -= 1) {
    await client.rate.wait(POLL_INTERVAL, 'rest');
    cards = await readCards();
  }
  const { status, records } = cards;
  if (status === 404 || (status === 200 && records.length === 0)) return entry.made ? 'left' : 'not-there';
  if (status !== 200) return 'unclear';
  for (const record of records) if (!(await voidListed(requests, record))) return 'left';
  return 'gone';
}

/** The list's names for code and id are open: tries each value that may be one, until a look-up shows a voided card. */
async function voidListed(requests: CleanupRequests, record: unknown): Promise<boolean> {
  const names = typeof record === 'object' ? possibleNamesOf(record) : [record as string | number];
  for (const name of names)
    for (const by of ['Code', 'Id'] as const) {
      if ((await requests.get(cardPath('Get', by, name))).status !== 200) continue;
      if ((await voidBy(requests, by, name)) === 'gone') return true;
    }
  return false;
}
