import { fullPage, listPath, mostPages } from '../core/card-list.ts';
import type { Client } from '../http/client.ts';
import type { Ask } from '../http/exchange.ts';
import { arrays, leaves } from '../http/json-search.ts';
import { type CleanupRequests, cleanupRequests, idIn } from './cleanup-requests.ts';
import { type CardEntry, type Entry, isCard, isPending } from './entries.ts';

export const cardPath = (verb: 'Get' | 'Void', by: 'Code' | 'Id', name: string | number) =>
  `/api/GiftCard/${verb}By${by}/${encodeURIComponent(name)}`;

export interface FoundCard {
  readonly code: string;
  readonly id: string | number | undefined;
  /** Its first custom field. */
  readonly mark: unknown;
  /** The property and the kind of look-up that led to the card. */
  readonly foundBy: string;
}

/** Most values of a list record that are looked up. */
const MAX_NAMES = 6;

/** The card of a list record. Its property names are open, so each value that may be a code or an id is looked up, `likely` first. */
export async function cardOfRecord(
  get: CleanupRequests['get'],
  record: unknown,
  likely?: string,
): Promise<FoundCard | undefined> {
  const isLikely = /code|number|id$|ref/i;
  const names = leaves(record)
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => Number(isLikely.test(other.path)) - Number(isLikely.test(one.path)))
    .slice(0, MAX_NAMES);
  const lookups = names.flatMap(({ path, value }) =>
    (['Code', 'Id'] as const).map((by) => ({ foundBy: `${by} ${path}`, path: cardPath('Get', by, value as string | number) })),
  );
  const isFirst = ({ foundBy }: { foundBy: string }) => Number(foundBy === likely);
  for (const { foundBy, path } of lookups.toSorted((one, other) => isFirst(other) - isFirst(one))) {
    const { status, json } = await get(path);
    const { code, customField1: mark } = (json ?? {}) as Record<string, unknown>;
    if (status === 200 && typeof code === 'string') return { code, id: idIn(json), mark, foundBy };
  }
  return undefined;
}

/**
 * Passes the pages of the list to `isEnough` until it returns true. Returns whether the end of the list was reached: a short page counts only if
 * totalCount agrees or an empty page follows, because the target may limit pages itself.
 */
async function readList(
  get: CleanupRequests['get'],
  query: Ask['query'],
  isEnough: (records: readonly unknown[]) => boolean | Promise<boolean>,
): Promise<boolean> {
  let count = 0;
  for (let pageNumber = 0; pageNumber < mostPages; pageNumber += 1) {
    const { status, json } = await get(listPath, { ...query, pageSize: fullPage, pageNumber });
    // The answer for a page past the end is open.
    if (pageNumber > 0 && status === 404) return true;
    const [records] = arrays(json);
    if (status !== 200 || !records || (await isEnough(records))) return false;
    count += records.length;
    const { totalCount } = json as { totalCount?: unknown };
    if (records.length === 0 || (records.length < fullPage && count >= Number(totalCount ?? Infinity))) return true;
  }
  return false;
}

/** Most look-ups of one search: an account may have 100,000 cards. */
const MAX_LOOKUPS = 400;
/** Milliseconds by which the target's clock may be slow. */
const CLOCK_TOLERANCE = 600_000;

/** The cards that a search found, and whether a card that it did not find is absent. */
interface Search {
  readonly found: ReadonlyMap<unknown, FoundCard>;
  readonly isComplete: boolean;
}

/** Finds cards whose codes the service chose, by their marks: one search per account. */
export class CardSearch {
  readonly #client: Client;
  readonly #entries: readonly Entry[];
  readonly #searches = new Map<string | undefined, Promise<Search>>();

  constructor(client: Client, entries: readonly Entry[]) {
    this.#client = client;
    this.#entries = entries;
  }

  /** Looks for the card of an entry; when it exists, the entry has its code and id. */
  async find(entry: CardEntry): Promise<'there' | 'absent' | 'unclear'> {
    const search = this.#searches.get(entry.key) ?? this.#search(entry);
    this.#searches.set(entry.key, search);
    const { found, isComplete } = await search;
    const card = entry.mark === undefined ? undefined : found.get(entry.mark);
    if (!card) return isComplete && entry.mark !== undefined ? 'absent' : 'unclear';
    entry.code = card.code;
    if (card.id !== undefined) entry.id = card.id;
    return 'there';
  }

  /**
   * A card is absent when the whole list was read, or everything issued since an older card of the run, that card included. Without that card, the
   * target's clock may be slow, or it may read `since` differently. Every record must lead to a card.
   */
  async #search(entry: CardEntry): Promise<Search> {
    const { get } = cleanupRequests(this.#client, entry);
    const cards = this.#entries.filter(isCard).filter(({ key }) => key === entry.key);
    const wanted = cards.filter(
      (each) => isPending(each) && each.mark !== undefined && each.code === '' && each.id === undefined,
    );
    const known = cards.filter(({ code, mark, own }) => code !== '' && (own || mark !== undefined));
    const first = Math.min(...wanted.map(({ number }) => number));
    const older = known.findLast(({ state, number }) => (state === 'created' || state === 'gone') && number < first);

    const marks = new Set<unknown>(wanted.map(({ mark }) => mark));
    const codes = new Set<unknown>(known.map(({ code }) => code));
    const found = new Map<unknown, FoundCard>();
    /** The code of each record's card, by the record's text. */
    const seen = new Map<string, string>();
    let lookups = 0;
    let likely: string | undefined;
    let isReadable = true;
    const counting: CleanupRequests['get'] = (path) => {
      lookups += 1;
      return get(path);
    };
    const look = async (record: unknown, isMarked: boolean) => {
      const text = JSON.stringify(record);
      const code = isMarked ? undefined : leaves(record).find(({ value }) => codes.has(value))?.value;
      if (code !== undefined) seen.set(text, String(code));
      if (seen.has(text)) return;
      const card = lookups < MAX_LOOKUPS ? await cardOfRecord(counting, record, likely) : undefined;
      isReadable &&= card !== undefined;
      if (!card) return;
      seen.set(text, card.code);
      found.set(card.mark, card);
      likely = card.foundBy;
    };
    const hasAll = () => wanted.every(({ mark }) => found.has(mark));
    const read = (query: Ask['query']) =>
      readList(get, query, async (records) => {
        const marked = new Set(records.filter((record) => leaves(record).some(({ value }) => marks.has(value))));
        for (const record of [...marked, ...records.filter((each) => !marked.has(each))])
          if (!hasAll()) await look(record, marked.has(record));
        return hasAll();
      });

    let isComplete = false;
    if (older?.sent !== undefined)
      isComplete =
        (await read({ since: new Date(older.sent - CLOCK_TOLERANCE).toISOString() })) && [...seen.values()].includes(older.code);
    if (!isComplete && !hasAll()) isComplete = await read({});
    return { found, isComplete: isComplete && isReadable };
  }
}

/**
 * The cards that vanished, as after a restart of a service that keeps everything in memory: no look-up finds the card, and the whole list shows neither
 * its code nor its id. "Not found" alone is not enough, because the look-up may be what is broken.
 */
export async function findVanished(client: Client, cards: readonly CardEntry[]): Promise<CardEntry[]> {
  /** What the whole list of a key shows; undefined if not all of it could be read. */
  const listed = new Map<string | undefined, ReadonlySet<unknown> | undefined>();
  const vanished: CardEntry[] = [];
  for (const card of cards) {
    const { get } = cleanupRequests(client, card);
    if ((await get(cardPath('Get', 'Code', card.code))).status !== 404) continue;
    if (!listed.has(card.key)) {
      const values = new Set<unknown>();
      const isWhole = await readList(get, {}, (records) => {
        for (const { value } of leaves(records)) values.add(value);
        return false;
      });
      listed.set(card.key, isWhole ? values : undefined);
    }
    const values = listed.get(card.key);
    if (values && !values.has(card.code) && !values.has(card.id)) vanished.push(card);
  }
  return vanished;
}
