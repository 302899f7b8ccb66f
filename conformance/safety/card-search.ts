import { fullPage, listPath } from '../core/card-list.ts';
import type { Ask } from '../http/exchange.ts';
import { arrays, type Leaf, leaves } from '../http/json-search.ts';
import type { CleanupRequests } from './cleanup-requests.ts';

interface FoundCard {
  readonly code: string;
  readonly id: string | number | undefined;
}

/** Most pages of one reading: an account may have 100,000 cards. */
const MAX_PAGES = 20;
/** Most look-ups of list records, over all pages. */
const MAX_LOOKUPS = 400;

/**
 * Finds cards in the list by their first custom field. The list's names for code and id are open, so each value that may be one is looked up, and the
 * custom field of the card decides.
 */
export class CardSearch {
  /** By mark. */
  readonly found = new Map<unknown, FoundCard>();
  /** The codes on the pages of the last reading. */
  readonly shown = new Set<string>();
  /** False once a record has led to no card. */
  isRead = true;
  readonly #get: CleanupRequests['get'];
  readonly #marks: ReadonlySet<unknown>;
  readonly #known: ReadonlySet<unknown>;
  /** Codes by the text of their list record. */
  readonly #codes = new Map<string, string>();
  /** The kind of look-up that found the last card; tried first for the next. */
  #lookup: string | undefined;
  #looks = 0;

  /** `known`: codes of other cards, whose records need no look-up. */
  constructor(get: CleanupRequests['get'], marks: ReadonlySet<unknown>, known: ReadonlySet<unknown>) {
    this.#get = get;
    this.#marks = marks;
    this.#known = known;
  }

  get hasAll(): boolean {
    return [...this.#marks].every((mark) => this.found.has(mark));
  }

  /**
   * Reads pages until all marks are found or `mostFull` pages were full. Returns whether the end of the list was reached: a short page counts only if
   * totalCount agrees or an empty page follows, because the target may limit pages itself.
   */
  async read(query: Ask['query'], mostFull: number): Promise<boolean> {
    this.shown.clear();
    let [count, full] = [0, 0];
    for (let pageNumber = 0; pageNumber < MAX_PAGES && full < mostFull; pageNumber += 1) {
      const page = pageNumber === 0 ? {} : { pageNumber };
      const { status, json } = await this.#get(listPath, { ...query, pageSize: fullPage, ...page });
      // The answer for a page past the end is open.
      if (pageNumber > 0 && status === 404) return true;
      const records = arrays(json)[0];
      if (status !== 200 || !records) return false;
      const marked = new Set(records.filter((record) => leaves(record).some(({ value }) => this.#marks.has(value))));
      for (const record of [...marked, ...records.filter((each) => !marked.has(each))]) {
        await this.#look(record, marked.has(record));
        if (this.hasAll) return false;
      }
      count += records.length;
      if (records.length === fullPage) full += 1;
      const { totalCount } = json as { totalCount?: unknown };
      if (records.length === 0 || (records.length < fullPage && count >= Number(totalCount ?? Infinity))) return true;
    }
    return false;
  }

  async #look(record: unknown, isMarked: boolean): Promise<void> {
    const all = leaves(record);
    const text = JSON.stringify(record);
    const code = this.#codes.get(text) ?? (isMarked ? undefined : all.find(({ value }) => this.#known.has(value))?.value);
    if (typeof code === 'string') return void this.shown.add(code);
    for (const { lookup, path } of lookups(all).toSorted(
      (one, other) => Number(other.lookup === this.#lookup) - Number(one.lookup === this.#lookup),
    )) {
      if (this.#looks >= MAX_LOOKUPS) break;
      this.#looks += 1;
      const card = (await this.#get(path)).json as Record<string, unknown> | null;
      if (typeof card?.code !== 'string') continue;
      const { id } = card;
      this.found.set(card.customField1, {
        code: card.code,
        id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      });
      this.#codes.set(text, card.code);
      this.#lookup = lookup;
      return void this.shown.add(card.code);
    }
    this.isRead = false;
  }
}

/** Paths that may lead from a list record to its card, likely ones first, each with its kind. */
const lookups = (all: readonly Leaf[]): { lookup: string; path: string }[] =>
  possibleNamesAmong(all).flatMap(({ path, value }) =>
    ['GetByCode', 'GetById'].map((by) => ({
      lookup: `${by} ${path}`,
      path: `/api/GiftCard/${by}/${encodeURIComponent(String(value))}`,
    })),
  );

/** Values that may be a card's code or id, likely ones first. */
const possibleNamesAmong = (all: readonly Leaf[]): Leaf[] => {
  const likely = /code|number|id$|ref/i;
  return all
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => Number(likely.test(other.path)) - Number(likely.test(one.path)));
};

/** The four likeliest codes or ids in a record. */
export const possibleNamesOf = (record: unknown): (string | number)[] =>
  possibleNamesAmong(leaves(record))
    .map(({ value }) => value as string | number)
    .slice(0, 4);
