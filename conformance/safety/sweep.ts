import type { Client } from '../client.ts';
import type { Answer, Ask } from '../exchange.ts';
import { arrays, idOf, leaves, mentions } from '../structure.ts';
import { type CardEntry, type Entry, pending, type RecordEntry, refusedAccounts } from './entries.ts';
import { goneById, isRecord, ownRecords, tellsUrls } from './own-records.ts';

/** What came of taking something away: it was there and is not any more, it was not there, or nobody knows. */
type Outcome = 'gone' | 'not-there' | 'left';

/**
 * Deletes and voids, last first, what may still be there, other records before cards so that no void is delivered to a webhook of the run.
 * What cannot be proven gone is marked as left; what was refused and is not there, as refused. `settled` is told of each; what it throws is thrown once
 * all of them had their turn.
 */
export async function sweep(
  client: Client,
  entries: readonly Entry[],
  settled: (entry: Entry) => void = () => undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const tell = (entry: Entry) => {
    try {
      settled(entry);
    } catch (failure) {
      failures.push(failure);
    }
  };
  const marks = new Marks(client);
  const taken = (entry: Entry): Promise<Outcome> =>
    (entry.kind === 'card'
      ? cardGone(client, entry, entries, marks)
      : recordGone(client, entry, namesakes(entry, entries), tell)
    ).catch((): Outcome => 'left');
  const note = (entry: Entry, outcome: Outcome) => {
    const was = entry.state;
    entry.state = outcome === 'not-there' ? (was === 'doubted' ? 'refused' : 'gone') : outcome;
    tell(entry);
  };
  const open = entries.filter(pending).toReversed();
  const late: Entry[] = [];
  for (const entry of [...open.filter(isRecord), ...open.filter((each) => !isRecord(each))]) {
    const outcome = await taken(entry);
    if (outcome === 'not-there' && isUnanswered(entry) && untilSurelyArrived(client, entry) > 0) late.push(entry);
    else note(entry, outcome);
  }
  // What had no answer may be made after whoever asked for it has given up.
  for (const entry of late) {
    const wait = untilSurelyArrived(client, entry);
    if (wait > 0) await client.rest(wait);
    note(entry, await taken(entry));
  }
  if (failures.length > 0) throw failures[0];
}

/** Of one that is left, too, nobody may have had the answer. */
const isUnanswered = ({ state, made }: Entry) => state === 'asked' || (state === 'left' && !made);

/** Milliseconds until a request that had no answer has surely done what it does. */
const untilSurelyArrived = ({ lateAfter }: Client, { sent = 0 }: Entry): number =>
  Math.min(sent + lateAfter - Date.now(), lateAfter);

/** Entries of records with the same value on the same account, itself among them: one deletion may take any of them away. */
const namesakes = (record: RecordEntry, entries: readonly Entry[]): RecordEntry[] =>
  entries
    .filter(isRecord)
    .filter(({ url, list, account }) => url === record.url && list === record.list && account === record.account);

/** Whether the target has let in two cards with one code. */
const haveTwins = (card: CardEntry, entries: readonly Entry[]): boolean =>
  entries.filter((each) => each.kind === 'card' && each.code === card.code && each.account === card.account && each.made).length >
  1;

/** Ways of asking with the key of an entry's account. */
function asking(client: Client, { key }: Pick<Entry, 'key'>) {
  const send = (method: Ask['method'], path: string, query?: Ask['query']) =>
    client.send({ method, path, ...(query ? { query } : {}), ...(key === undefined ? {} : { key }), cleaning: true });
  return {
    get: (path: string, query?: Ask['query']) => send('GET', path, query),
    remove: (path: string) => send('DELETE', path),
  };
}

/** Voids first and then looks, because only what is looked at is proven. */
async function cardGone(client: Client, entry: CardEntry, entries: readonly Entry[], marks: Marks): Promise<Outcome> {
  const { get, remove } = asking(client, entry);
  const twins = haveTwins(entry, entries);
  if (entry.recipient !== undefined && entry.code === '') return issuedGone(client, entry, entry.recipient);
  const byId = async (id: string | number): Promise<Outcome> => {
    const { status } = await remove(`/api/GiftCard/VoidById/${encodeURIComponent(id)}`);
    const found = await get(`/api/GiftCard/GetById/${encodeURIComponent(id)}`);
    return isVoided(found, status === 200) ? 'gone' : 'left';
  };
  if (entry.state === 'doubted' && entry.code !== '') return refusedGone(client, entry, entries);
  if (entry.code === '' && entry.id === undefined && !(await marks.found(entry))) return entry.made ? 'left' : 'not-there';
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
  if (entry.id === undefined) return 'left';
  // The code did not lead to it, or leads to another card as well; the id does. A service that said that it made a card has it still.
  if ((await byId(entry.id)) !== 'gone') return 'left';
  const after = await lookedUp();
  return after.status === 404 || isVoided(after) ? 'gone' : 'left';
}

/** Looks for a card that was refused; one that is there all the same is voided by what the look shows of it. */
async function refusedGone(client: Client, entry: CardEntry, entries: readonly Entry[]): Promise<Outcome> {
  const { answer, key } = await lookFor(client, entry);
  if (showsNothingNew(answer, entry, entries)) return 'not-there';
  if (answer.status !== 200) return 'left';
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

/** What a service answers to a path or a method that it has not got. */
export const isMissing = (status: number) => status === 404 || status === 405;

const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** A card that was voided may be called expired once its expiry has come; it holds nothing. That it is not found proves nothing. */
function isVoided({ status, json }: { status: number; json: unknown }, wasVoided = false): boolean {
  const shown = json as { status?: unknown; balance?: unknown } | null;
  return status === 200 && (shown?.status === 'Voided' || (wasVoided && shown?.status === 'Expired' && shown.balance === 0));
}

/** Finds cards whose codes the service chose by the marks that they carry. */
class Marks {
  readonly #client: Client;
  /** The latest cards by their marks, looked through once for all that were refused. */
  #latest: Promise<Map<unknown, Found>> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether there is one, whose code and id the entry then has. */
  async found(entry: CardEntry): Promise<boolean> {
    if (entry.state === 'doubted' && entry.key === undefined) this.#latest ??= marked(this.#client, entry);
    const found = await (entry.state === 'doubted' && entry.key === undefined
      ? this.#latest
      : marked(this.#client, entry, entry.mark));
    const card = found?.get(entry.mark);
    if (!card) return false;
    entry.code = card.code;
    if (card.id !== undefined) entry.id ??= card.id;
    return true;
  }
}

interface Found {
  readonly code: string;
  readonly id: string | number | undefined;
}

/**
 * The latest of the list by their first custom fields: what a list record calls the code or the id is open, so that whatever may be one is looked up,
 * and the custom field decides. With a mark it ends once that is found.
 */
async function marked(client: Client, account: Pick<CardEntry, 'key'>, mark?: string): Promise<Map<unknown, Found>> {
  const { get } = asking(client, account);
  const found = new Map<unknown, Found>();
  const { json } = await get('/api/GiftCard/List', { pageSize: 50 });
  const records = arrays(json)[0];
  if (!records) throw new Error('the list shows no cards');
  const mentioning = mark === undefined ? [] : records.filter((record) => mentions(record, mark));
  for (const record of mentioning.length > 0 ? mentioning : records) {
    const tries = namesIn(record).flatMap((value) =>
      ['GetByCode', 'GetById'].map((path) => `${path}/${encodeURIComponent(value)}`),
    );
    for (const path of tries) {
      const card = (await get(`/api/GiftCard/${path}`)).json as Record<string, unknown> | null;
      if (typeof card?.code !== 'string') continue;
      const { id } = card;
      found.set(card.customField1, { code: card.code, id: typeof id === 'string' || typeof id === 'number' ? id : undefined });
      if (mark !== undefined && card.customField1 === mark) return found;
      break;
    }
  }
  return found;
}

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
  if (status !== 200) return 'left';
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
 * Deletes a record by the id in the list record that is its own, or that its creation was answered with, for other records are not the run's to touch.
 * One that was created and that no list has shown may stand there unseen, or somewhere else, and is left.
 */
async function recordGone(
  client: Client,
  entry: RecordEntry,
  same: readonly RecordEntry[],
  note: (entry: Entry) => void,
): Promise<Outcome> {
  const { get, remove } = asking(client, entry);
  const deletion = (id: string | number) => remove(entry.remove.replace('{id}', encodeURIComponent(id)));
  // Several may have the same value where a check registers one twice.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const list = await get(entry.list);
    if (isRefusal(list.status) && !entry.made && refusedAccounts.has(entry.account)) return 'not-there';
    if (entry.unknown && isMissing(list.status)) return 'not-there';
    if (list.status !== 200) return 'left';
    const record = ownRecords(list.json, entry).at(-1);
    if (record === undefined) return absent(entry, list.json, deletion);
    const id = idOf(record);
    entry.shown = true;
    if (id === undefined) return 'left';
    for (const each of same) {
      each.removing = true;
      // What was shown may be a namesake's, which then needs no list of its own.
      if (each.id === id) each.shown = true;
      note(each);
    }
    await deletion(id);
  }
  return 'left';
}

/** What a list without the record says of it. */
async function absent(entry: RecordEntry, json: unknown, deletion: (id: string | number) => Promise<Answer>): Promise<Outcome> {
  if (arrays(json).length === 0) return 'left';
  const { made, removing, shown, id } = entry;
  if (made && !shown && id !== undefined) return (await goneById(() => deletion(id))) ? 'gone' : 'left';
  if (made) return removing && shown ? 'gone' : 'left';
  // One that nobody answered may be there and not be told from others.
  return entry.state === 'asked' && URL.canParse(entry.url) && !tellsUrls(json) ? 'left' : 'not-there';
}
