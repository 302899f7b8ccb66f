import type { Client } from '../http/client.ts';
import type { Answer } from '../http/exchange.ts';
import { arrays } from '../http/structure.ts';
import { asking, isRefusal, type Outcome } from './cleanup-requests.ts';
import { type CardEntry, type Entry, refusedAccounts } from './entries.ts';
import type { Marks } from './find-by-marker.ts';
import { namesIn } from './listing.ts';

/** Voids first and then looks, because only what is looked at is proven. */
export async function cardGone(client: Client, entry: CardEntry, entries: readonly Entry[], marks: Marks): Promise<Outcome> {
  const { get, remove } = asking(client, entry);
  const twins = haveTwins(entry, entries);
  if (entry.recipient !== undefined && entry.code === '') return issuedGone(client, entry, entry.recipient);
  const byId = async (id: string | number): Promise<Outcome> => {
    const { status } = await remove(`/api/GiftCard/VoidById/${encodeURIComponent(id)}`);
    const found = await get(`/api/GiftCard/GetById/${encodeURIComponent(id)}`);
    return isVoided(found, status === 200) ? 'gone' : found.status === 200 ? 'left' : 'unclear';
  };
  if (entry.state === 'doubted' && entry.code !== '') return refusedGone(client, entry, entries);
  if (entry.code === '' && entry.id === undefined) {
    const sought = await marks.sought(entry);
    if (sought !== 'there') return entry.made ? 'left' : sought === 'absent' ? 'not-there' : 'unclear';
  }
  // One that was made under a code that no path can name, such as none at all.
  if (entry.id !== undefined && !nameable.test(entry.code)) return byId(entry.id);
  const code = encodeURIComponent(entry.code);
  const lookedUp = () => get(`/api/GiftCard/GetByCode/${code}`);
  if (entry.voided && !twins && isVoided(await lookedUp(), true)) return 'gone';
  // A card of somebody else may have the code, if this one was never made.
  if (!entry.own && entry.mark === undefined && !entry.made) return (await lookedUp()).status === 404 ? 'not-there' : 'left';
  const voided = await remove(`/api/GiftCard/VoidByCode/${code}`);
  if (isRefusal(voided.status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
  const found = await lookedUp();
  if (isVoided(found, voided.status === 200) && !twins) return 'gone';
  if (found.status === 404 && !entry.made) return 'not-there';
  const otherwise = found.status === 200 ? 'left' : 'unclear';
  if (entry.id === undefined) return otherwise;
  // The code did not lead to it, or leads to another card as well; the id does. A service that said that it made a card has it still.
  const outcome = await byId(entry.id);
  if (outcome !== 'gone') return outcome === 'left' ? 'left' : otherwise;
  const after = await lookedUp();
  return after.status === 404 || isVoided(after) ? 'gone' : 'left';
}

/** Looks for a card that was refused; one that is there all the same is voided by what the look shows of it. */
async function refusedGone(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<Outcome> {
  const { answer, key } = await lookFor(client, entry);
  if (showsNothingNew(answer, entry, entries)) return 'not-there';
  if (answer.status !== 200) return 'unclear';
  const { get, remove } = asking(client, { key });
  const { id } = (answer.json ?? {}) as { id?: unknown };
  if (typeof id === 'string' || typeof id === 'number') entry.id = id;
  const [by, named] = entry.id === undefined ? ['Code', entry.code] : ['Id', entry.id];
  const voided = await remove(`/api/GiftCard/VoidBy${by}/${encodeURIComponent(named)}`);
  return isVoided(await get(`/api/GiftCard/GetBy${by}/${encodeURIComponent(named)}`), voided.status === 200) ? 'gone' : 'left';
}

/** One look by the code, with the key of the create and, where that is refused as it should be, with that of the run. */
async function lookFor(client: Client, entry: CardEntry): Promise<{ answer: Answer; key: string | undefined }> {
  const path = `/api/GiftCard/GetByCode/${encodeURIComponent(entry.code)}`;
  const answer = await asking(client, entry).get(path);
  const isShut = refusedAccounts.has(entry.account) && isRefusal(answer.status) && answer.status !== 404;
  if (!isShut) return { answer, key: entry.key };
  return { answer: await asking(client, { key: undefined }).get(path), key: undefined };
}

/** Whether one look shows that a card that was refused is not there. */
export const neverMade = async (client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<boolean> =>
  showsNothingNew((await lookFor(client, entry)).answer, entry, entries);

/** Whether what looking a refused code up answers is no card, or one that was made before under the same code. */
export function showsNothingNew({ status, json }: Answer, { code, account }: CardEntry, entries: readonly Entry[]): boolean {
  // A code that is too odd to be made is too odd to be looked up.
  if ([400, 404, 414, 422].includes(status)) return true;
  const { id } = (json ?? {}) as { id?: unknown };
  return (
    status === 200 &&
    entries.some((each) => each.kind === 'card' && each.made && each.id === id && each.code === code && each.account === account)
  );
}

/** Neither empty nor a step in a path, whole as text, and nothing that its escape may be read as. */
const nameable = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

/** Voids every card that was sent to a recipient whom only one event of the run had; where there is none, the event has made none that can be found. */
async function issuedGone(client: Client, entry: CardEntry, recipient: string): Promise<Outcome> {
  const { get, remove } = asking(client, entry);
  const found = async () => {
    const { status, json } = await get('/api/GiftCard/GetByEmail', { emailAddress: recipient });
    return { status, records: arrays(json)[0] ?? [] };
  };
  let { status, records } = await found();
  // A card is found once it was sent, which may be a moment after it was issued; of an event that told of none, only if it was asked for just now.
  const isYoung = () => Date.now() - (entry.sent ?? Date.now()) < 2_000;
  const mayCome = () => entry.made || (entry.state === 'created' && isYoung());
  for (let again = 0; again < 8 && mayCome() && records.length === 0; again += 1) {
    await client.rest(250);
    ({ status, records } = await found());
  }
  if (status === 404 || (status === 200 && records.length === 0)) return entry.made ? 'left' : 'not-there';
  if (isRefusal(status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
  if (status !== 200) return 'unclear';
  for (const record of records) {
    let gone = false;
    for (const value of typeof record === 'object' ? namesIn(record) : [record as string | number]) {
      for (const by of ['Code', 'Id']) {
        const named = encodeURIComponent(value);
        if (gone || (await get(`/api/GiftCard/GetBy${by}/${named}`)).status !== 200) continue;
        await remove(`/api/GiftCard/VoidBy${by}/${named}`);
        gone = isVoided(await get(`/api/GiftCard/GetBy${by}/${named}`));
      }
    }
    if (!gone) return 'left';
  }
  return 'gone';
}

/** Whether the target has let in two cards with one code. */
const haveTwins = (card: CardEntry, entries: readonly Entry[]): boolean =>
  entries.filter((each) => each.kind === 'card' && each.code === card.code && each.account === card.account && each.made).length >
  1;

/** A card that was voided may be called expired once its expiry has come; it holds nothing. That it is not found proves nothing. */
function isVoided({ status, json }: { status: number; json: unknown }, wasVoided = false): boolean {
  const shown = json as { status?: unknown; balance?: unknown } | null;
  return status === 200 && (shown?.status === 'Voided' || (wasVoided && shown?.status === 'Expired' && shown.balance === 0));
}
