import { fullPage, listPath } from '../core/card-list.ts';
import type { Ask } from '../http/exchange.ts';
import { arrays, type Leaf, leaves } from '../http/structure.ts';
import type { asking } from './cleanup-requests.ts';

interface Found {
  readonly code: string;
  readonly id: string | number | undefined;
}

/** Pages that are read at most in one order, so that of an account with 100,000 cards not all are. */
const mostPages = 20;
/** Requests that look list records up, of all pages together. */
const mostLooks = 400;

/**
 * Cards of the list by their first custom fields: what a list record calls the code or the id is open, so that whatever may be one is looked up, and the
 * custom field decides.
 */
export class Listing {
  /** By mark. */
  readonly found = new Map<unknown, Found>();
  /** The codes of what was read last. */
  readonly shown = new Set<string>();
  /** Whether every record on every page has led to its card. */
  isRead = true;
  readonly #get: ReturnType<typeof asking>['get'];
  readonly #marks: ReadonlySet<unknown>;
  readonly #known: ReadonlySet<unknown>;
  /** Codes by the records that led to them. */
  readonly #seen = new Map<string, string>();
  /** What led from the last record to its card. */
  #way: string | undefined;
  #looks = 0;

  /** `known` are codes of other cards, whose records need no look. */
  constructor(get: ReturnType<typeof asking>['get'], marks: ReadonlySet<unknown>, known: ReadonlySet<unknown>) {
    this.#get = get;
    this.#marks = marks;
    this.#known = known;
  }

  get hasAll(): boolean {
    return [...this.#marks].every((mark) => this.found.has(mark));
  }

  /**
   * Reads pages until all marks are found or so many were full, and says whether the last of the list was among them. A short page may be the target's
   * own idea of how long pages are, so that totalCount has to agree, or an empty page has to follow.
   */
  async read(query: Ask['query'], mostFull: number): Promise<boolean> {
    this.shown.clear();
    let [count, full] = [0, 0];
    for (let pageNumber = 0; pageNumber < mostPages && full < mostFull; pageNumber += 1) {
      const page = pageNumber === 0 ? {} : { pageNumber };
      const { status, json } = await this.#get(listPath, { ...query, pageSize: fullPage, ...page });
      // What a page past the last one answers is open.
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
    const code = this.#seen.get(text) ?? (isMarked ? undefined : all.find(({ value }) => this.#known.has(value))?.value);
    if (typeof code === 'string') return void this.shown.add(code);
    for (const { way, path } of ways(all).toSorted(
      (one, other) => Number(other.way === this.#way) - Number(one.way === this.#way),
    )) {
      if (this.#looks >= mostLooks) break;
      this.#looks += 1;
      const card = (await this.#get(path)).json as Record<string, unknown> | null;
      if (typeof card?.code !== 'string') continue;
      const { id } = card;
      this.found.set(card.customField1, {
        code: card.code,
        id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      });
      this.#seen.set(text, card.code);
      this.#way = way;
      return void this.shown.add(card.code);
    }
    this.isRead = false;
  }
}

/** Paths that may lead from a list record to its card, and what each would be for other records, likely ones first. */
const ways = (all: readonly Leaf[]): { way: string; path: string }[] =>
  namesAmong(all).flatMap(({ path, value }) =>
    ['GetByCode', 'GetById'].map((by) => ({
      way: `${by} ${path}`,
      path: `/api/GiftCard/${by}/${encodeURIComponent(String(value))}`,
    })),
  );

/** What may be a card's code or its id, likely ones first. */
const namesAmong = (all: readonly Leaf[]): Leaf[] => {
  const likely = /code|number|id$|ref/i;
  return all
    .filter(({ value }) => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)) || Number.isInteger(value))
    .toSorted((one, other) => Number(likely.test(other.path)) - Number(likely.test(one.path)));
};

/** Values of a record that may be a card's code or its id, likely ones first. */
export const namesIn = (record: unknown): (string | number)[] =>
  namesAmong(leaves(record))
    .map(({ value }) => value as string | number)
    .slice(0, 4);
