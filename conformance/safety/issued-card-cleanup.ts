import type { Client } from '../http/client.ts';
import { arrays } from '../http/json-search.ts';
import { possibleNamesOf } from './card-search.ts';
import { type CleanupRequests, cleanupRequests, isRefusal, isVoided, type Outcome } from './cleanup-requests.ts';
import { type CardEntry, refusedAccounts } from './entries.ts';

/** An issued card is found once it was sent, which may take this long after the event, in milliseconds. */
const SENDING_TIME = 2_000;
const POLL_INTERVAL = 250;

/** Voids every card that was sent to a recipient used by one event only. If there is none, the event created none that can be found. */
export async function removeIssuedCards(client: Client, entry: CardEntry, recipient: string): Promise<Outcome> {
  const requests = cleanupRequests(client, entry);
  const { status, records } = await cardsSentTo(client, requests, entry, recipient);
  if (status === 404 || (status === 200 && records.length === 0)) return entry.made ? 'left' : 'not-there';
  if (isRefusal(status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
  if (status !== 200) return 'unclear';
  for (const record of records) if (!(await voidListed(requests, record))) return 'left';
  return 'gone';
}

async function cardsSentTo(client: Client, { get }: CleanupRequests, entry: CardEntry, emailAddress: string) {
  const read = async () => {
    const { status, json } = await get('/api/GiftCard/GetByEmail', { emailAddress });
    return { status, records: arrays(json)[0] ?? [] };
  };
  let cards = await read();
  const mayStillCome = () => entry.made || (entry.state === 'created' && Date.now() - (entry.sent ?? Date.now()) < SENDING_TIME);
  for (let tries = SENDING_TIME / POLL_INTERVAL; tries > 0 && mayStillCome() && cards.records.length === 0; tries -= 1) {
    await client.rest(POLL_INTERVAL);
    cards = await read();
  }
  return cards;
}

/** The list's names for code and id are open: tries each value that may be one, until a look-up shows a voided card. */
async function voidListed({ get, remove }: CleanupRequests, record: unknown): Promise<boolean> {
  const names = typeof record === 'object' ? possibleNamesOf(record) : [record as string | number];
  for (const name of names) {
    for (const by of ['Code', 'Id']) {
      const path = encodeURIComponent(name);
      if ((await get(`/api/GiftCard/GetBy${by}/${path}`)).status !== 200) continue;
      await remove(`/api/GiftCard/VoidBy${by}/${path}`);
      if (isVoided(await get(`/api/GiftCard/GetBy${by}/${path}`))) return true;
    }
  }
  return false;
}
