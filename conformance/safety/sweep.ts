import type { Ask, Client } from '../client.ts';
import { arrays, idOf, leaves, mentions, recordWith } from '../structure.ts';
import { type CardEntry, type Entry, pending, type RecordEntry, refusedAccounts } from './entries.ts';

/**
 * Deletes and voids, last first, what may still be there, other records before cards so that no void is delivered to a webhook of the run.
 * What cannot be proven gone is marked as left. `settled` is told of each; what it throws is thrown once all of them had their turn.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  settled: (entry: Entry) => void = () => undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const note = (entry: Entry) => {
    try {
      settled(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const open = entries.filter(pending).toReversed();
  for (const entry of [...open.filter(isRecord), ...open.filter((each) => !isRecord(each))]) {
    const gone = await (entry.kind === 'card'
      ? cardGone(client, entry, twins(entry, entries))
      : recordGone(client, entry, namesakes(entry, entries), note)
    ).catch(() => false);
    entry.state = gone ? 'gone' : 'left';
    note(entry);
  }
  if (failures.length > 0) throw failures[0];
}

/** Entries of records with the same value on the same account, itself among them: one deletion may take any of them away. */
const namesakes = (record: RecordEntry, entries: readonly Entry[]): RecordEntry[] =>
  entries
    .filter(isRecord)
    .filter(({ url, list, account }) => url === record.url && list === record.list && account === record.account);

/** Whether the target has let in two cards with one code. */
const twins = (card: CardEntry, entries: readonly Entry[]): boolean =>
  entries.filter((each) => each.kind === 'card' && each.code === card.code && each.account === card.account && each.made).length >
  1;

export const isRecord = (entry: Entry): entry is RecordEntry => entry.kind === 'record';

/** Ways of asking with the key of an entry's account. */
function asking(client: Client, { key }: Entry) {
  const send = (method: Ask['method'], path: string, query?: Ask['query']) =>
    client.send({ method, path, ...(query ? { query } : {}), ...(key === undefined ? {} : { key }), cleaning: true });
  return {
    get: (path: string, query?: Ask['query']) => send('GET', path, query),
    remove: (path: string) => send('DELETE', path),
  };
}

/** Voids first and then looks, because only what is looked at is proven. */
async function cardGone(client: Client, entry: CardEntry, twins: boolean): Promise<boolean> {
  const { get, remove } = asking(client, entry);
  if (entry.recipient !== undefined && entry.code === '') return issuedGone(client, entry, entry.recipient);
  const byId = async (id: string | number) => {
    await remove(`/api/GiftCard/VoidById/${encodeURIComponent(id)}`);
    return isGone(await get(`/api/GiftCard/GetById/${encodeURIComponent(id)}`));
  };
  if (entry.code === '' && entry.id === undefined && !(await foundByMark(client, entry))) return !entry.made;
  // One that was made under a code that no path can name, such as none at all.
  if (entry.id !== undefined && !nameable.test(entry.code)) return byId(entry.id);
  const code = encodeURIComponent(entry.code);
  const lookedUp = () => get(`/api/GiftCard/GetByCode/${code}`);
  if (entry.voided && !twins && isGone(await lookedUp(), true)) return true;
  // A card of somebody else may have the code, if this one was never made.
  if (!entry.own && entry.mark === undefined && !entry.made) return (await lookedUp()).status === 404;
  const voided = await remove(`/api/GiftCard/VoidByCode/${code}`);
  if (isRefusal(voided.status) && !entry.made && refusedAccounts.has(entry.account)) return true;
  const found = await lookedUp();
  const wasVoided = voided.status === 200;
  if (entry.id === undefined || (isGone(found, wasVoided) && !twins)) return isGone(found, wasVoided);
  // The code did not lead to it, or leads to another card as well; the id does.
  return (await byId(entry.id)) && isGone(await lookedUp());
}

/** Neither empty nor a step in a path, whole as text, and nothing that its escape may be read as. */
const nameable = /^(?!\.*$)[^/\\\p{Cc}\p{Cs}]+$/u;

const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** A card that was voided may be called expired once its expiry has come; it holds nothing. */
function isGone({ status, json }: { status: number; json: unknown }, wasVoided = false): boolean {
  const shown = json as { status?: unknown; balance?: unknown } | null;
  const isOver = shown?.status === 'Voided' || (wasVoided && shown?.status === 'Expired' && shown.balance === 0);
  return status === 404 || (status === 200 && isOver);
}

/**
 * Looks for a card whose code the service chose, and whose answer was lost, among the latest of the list: what a list record
 * calls the code or the id is open, so that whatever may be one is looked up, and the custom field decides.
 */
async function foundByMark(client: Client, entry: CardEntry): Promise<boolean> {
  const { get } = asking(client, entry);
  const { json } = await get('/api/GiftCard/List', { pageSize: 50 });
  const records = arrays(json)[0];
  if (!records) throw new Error('the list shows no cards');
  const marked = records.filter((record) => mentions(record, entry.mark));
  for (const record of marked.length > 0 ? marked : records) {
    for (const value of namesIn(record)) {
      for (const path of ['GetByCode', 'GetById']) {
        const card = (await get(`/api/GiftCard/${path}/${encodeURIComponent(value)}`)).json as Record<string, unknown> | null;
        if (card?.customField1 !== entry.mark || typeof card?.code !== 'string') continue;
        entry.code = card.code;
        if (typeof card.id === 'string' || typeof card.id === 'number') entry.id ??= card.id;
        return true;
      }
    }
  }
  return false;
}

/** Voids every card that was sent to a recipient whom only one event of the run had; where there is none, the event has made none that can be found. */
async function issuedGone(client: Client, entry: CardEntry, recipient: string): Promise<boolean> {
  const { get, remove } = asking(client, entry);
  const found = async () => {
    const { status, json } = await get('/api/GiftCard/GetByEmail', { emailAddress: recipient });
    return { status, records: arrays(json)[0] ?? [] };
  };
  let { status, records } = await found();
  // A card is found once it was sent, which may be a moment after it was issued.
  for (let again = 0; again < 8 && entry.made && records.length === 0; again += 1) {
    await client.rest(250);
    ({ status, records } = await found());
  }
  if (status === 404 || (status === 200 && records.length === 0)) return !entry.made;
  if (status !== 200) return false;
  for (const record of records) {
    let gone = false;
    for (const value of typeof record === 'object' ? namesIn(record) : [record as string | number]) {
      for (const by of ['Code', 'Id']) {
        const named = encodeURIComponent(value);
        if (gone || (await get(`/api/GiftCard/GetBy${by}/${named}`)).status !== 200) continue;
        await remove(`/api/GiftCard/VoidBy${by}/${named}`);
        gone = isGone(await get(`/api/GiftCard/GetBy${by}/${named}`));
      }
    }
    if (!gone) return false;
  }
  return true;
}

/** Values of a list record that may be its code or its id, likely ones first. */
function namesIn(record: unknown): (string | number)[] {
  const likely = /code|number|id$|ref/i;
  return leaves(record)
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => Number(likely.test(other.path)) - Number(likely.test(one.path)))
    .map(({ value }) => value as string | number)
    .slice(0, 4);
}

/**
 * Deletes a record by the id in the list record that holds its own value, and by nothing else, for other records are not the run's to touch.
 * One that was created and is not listed may stand somewhere else, and is left.
 */
async function recordGone(
  client: Client,
  entry: RecordEntry,
  same: readonly RecordEntry[],
  note: (entry: Entry) => void,
): Promise<boolean> {
  const { get, remove } = asking(client, entry);
  // Several may have the same value where a check registers one twice.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const list = await get(entry.list);
    if (isRefusal(list.status) && !entry.made && refusedAccounts.has(entry.account)) return true;
    if (list.status !== 200) return false;
    const record = recordWith(list.json, entry.url);
    if (record === undefined) return (entry.removing || !entry.made) && arrays(list.json).length > 0;
    const id = idOf(record);
    if (id === undefined) return false;
    for (const each of same) {
      each.removing = true;
      note(each);
    }
    await remove(entry.remove.replace('{id}', encodeURIComponent(id)));
  }
  return false;
}
