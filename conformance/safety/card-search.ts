import { ruleValues } from '../../openapi/generated/rules.ts';
import { arrays, leaves, mentions } from '../http/json-search.ts';
import { type CleanupRequests, cardPath, cleanupRequests, idIn, type SweepContext } from './cleanup-requests.ts';
import type { Client } from './client.ts';
import type { TargetRequest } from './effects.ts';
import { isCard, isPending, type LedgerCard, type LedgerEntry } from './entries.ts';

export const listPath = '/api/GiftCard/List';

/** A harmless request to which a service returns 200. */
export const shortList = { method: 'GET', path: listPath, query: { pageSize: 1 } } as const satisfies TargetRequest;

export const fullPage = ruleValues['list.page-size-maximum'];

export const mostPages = 20;

type Get = CleanupRequests['get'];

export interface FoundCard {
  readonly code: string;
  readonly id?: string | number | undefined;
  /** The first custom field. */
  readonly mark?: unknown;
}

/** Maximum number of values of a list record that are looked up. */
const MAX_NAMES = 6;

/** Returns the card of a list record. Looks up every value that may be a code or an id, because the specification does not state the property names. */
export async function cardOfRecord(get: Get, record: unknown): Promise<FoundCard | undefined> {
  const rank = (path: string) => [/code/i, /number|id$|ref/i, /./].findIndex((pattern) => pattern.test(path));
  const names = leaves(record)
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => rank(one.path) - rank(other.path));
  for (const { value } of names.slice(0, MAX_NAMES))
    for (const by of ['Code', 'Id'] as const) {
      const { status, json } = await get(cardPath('Get', by, value as string | number));
      const { code, customField1: mark } = (json ?? {}) as Record<string, unknown>;
      if (status === 200 && typeof code === 'string') return { code, id: idIn(json), mark };
    }
  return undefined;
}

/** Reads the list until totalCount is reached or a page is empty. A short page is not the end, because the target may have smaller pages. */
async function readList(get: Get, query: TargetRequest['query'] = {}): Promise<{ records: unknown[]; isWhole: boolean }> {
  const records: unknown[] = [];
  for (let pageNumber = 0; pageNumber < mostPages; pageNumber += 1) {
    const { status, json } = await get(listPath, { ...query, pageSize: fullPage, pageNumber });
    // The specification does not state the response for a page after the last page, so a 404 also ends the list.
    if (pageNumber > 0 && status === 404) return { records, isWhole: true };
    const [page] = arrays(json);
    if (status !== 200 || !page) break;
    records.push(...page);
    const { totalCount } = json as { totalCount?: unknown };
    const isShort = page.length < fullPage && records.length >= Number(totalCount ?? Infinity);
    if (page.length === 0 || isShort) return { records, isWhole: true };
  }
  return { records, isWhole: false };
}

/** Maximum number of requests of one search, because an account may have 100,000 cards. */
const MAX_REQUESTS = 400;
/** Milliseconds by which the target's clock may be slow. If the target refused all wanted cards, the first search assumes an exact clock. */
const CLOCK_TOLERANCE = 600_000;
const ROUNDING = 1_000;

/** Returns a function that searches for cards whose codes the service chose. The function reads the list of each account once. */
export function cardSearch(client: Client, entries: readonly LedgerEntry[]): SweepContext['search'] {
  const results = new Map<string | undefined, ReturnType<typeof searchAccount>>();
  return async (entry) => {
    if (entry.mark === undefined) return 'left';
    const result = results.get(entry.key) ?? searchAccount(client, entry, entries);
    results.set(entry.key, result);
    const { found, isComplete } = await result;
    const card = found.get(entry.mark);
    if (!card) return isComplete ? 'absent' : 'left';
    entry.code = card.code;
    if (card.id !== undefined) entry.id = card.id;
    return 'found';
  };
}

/**
 * Searches the list of an entry's account for all cards with unknown codes. If the whole list does not show a card, the card is absent. To save requests,
 * first reads the list with the parameter `since`, set to a time before an older card of the run. If this list does not show the older card, the target
 * understands the parameter in another way. The search then reads the whole list.
 */
async function searchAccount(client: Client, entry: LedgerEntry, entries: readonly LedgerEntry[]) {
  const { get } = cleanupRequests(client, entry);
  const cards = entries.filter(isCard).filter(({ key }) => key === entry.key);
  const wanted = cards.filter((each) => isPending(each) && each.mark !== undefined && each.code === '' && each.id === undefined);
  const known = cards.filter(({ code, mark, own }) => code !== '' && (own || mark !== undefined));
  const first = Math.min(...wanted.map(({ number }) => number));
  const older = known.findLast(({ state, number }) => (state === 'created' || state === 'gone') && number < first);
  const areRefused = wanted.every(({ state }) => state === 'uncertain');
  const sent = Math.min(...wanted.map((each) => each.sent ?? 0));
  const removed = known.filter(({ state, removedAt = Infinity }) => state === 'gone' && removedAt <= sent);
  const namesOfRemoved = new Set<unknown>(removed.flatMap(({ code, id }) => [code, id]));

  const marks = new Set<unknown>(wanted.map(({ mark }) => mark));
  const codes = new Set<unknown>(known.map(({ code }) => code));
  const found = new Map<unknown, FoundCard>();
  const before = client.cleaned.length;
  /** Looks up listed records until all wanted cards are found. Returns true if every wanted card is found or proven absent. */
  const search = async (query?: TargetRequest['query']): Promise<boolean> => {
    const { records, isWhole } = await readList(get, query);
    // The list shows cards in the order of their last change, so a refused card cannot be below a card that the run had removed before.
    const end = areRefused ? records.findLastIndex((record) => showsAny(record, namesOfRemoved)) : -1;
    let isReadable = isWhole || end >= 0;
    let showsOlder = query === undefined || mentions(records, older?.code);
    const others = records.slice(0, end < 0 ? undefined : end).filter((record) => !showsAny(record, codes));
    const isMarked = (record: unknown) => Number(showsAny(record, marks));
    for (const record of others.toSorted((one, other) => isMarked(other) - isMarked(one))) {
      if ([...marks].every((mark) => found.has(mark))) return true;
      const card = client.cleaned.length < before + MAX_REQUESTS ? await cardOfRecord(get, record) : undefined;
      isReadable &&= card !== undefined;
      showsOlder ||= card?.code === older?.code;
      if (card) found.set(card.mark, card);
    }
    return isReadable && showsOlder;
  };
  for (const tolerance of areRefused ? [ROUNDING, CLOCK_TOLERANCE] : [CLOCK_TOLERANCE]) {
    if (older?.sent === undefined) break;
    const since = new Date(older.sent - tolerance).toISOString();
    if (await search({ since })) return { found, isComplete: true };
  }
  return { found, isComplete: await search() };
}

const showsAny = (record: unknown, values: ReadonlySet<unknown>): boolean =>
  leaves(record).some(({ value }) => values.has(value));

/** Returns the cards that neither a look-up nor the whole list shows. Such a card is gone: a service without persistence loses its cards at a restart. */
export async function findVanished(client: Client, entries: readonly LedgerEntry[]): Promise<LedgerCard[]> {
  const lists = new Map<string | undefined, ReturnType<typeof readList>>();
  const vanished: LedgerCard[] = [];
  for (const card of entries.filter(isCard)) {
    if (card.state !== 'created' || card.code === '') continue;
    const { get } = cleanupRequests(client, card);
    if ((await get(cardPath('Get', 'Code', card.code))).status !== 404) continue;
    const list = lists.get(card.key) ?? readList(get);
    lists.set(card.key, list);
    const { records, isWhole } = await list;
    if (isWhole && !mentions(records, card.code) && !mentions(records, card.id)) vanished.push(card);
  }
  return vanished;
}
