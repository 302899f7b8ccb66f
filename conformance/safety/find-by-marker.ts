import type { Client } from '../http/client.ts';
import { CardSearch } from './card-search.ts';
import { cleanupRequests } from './cleanup-requests.ts';
import { type CardEntry, type Entry, pending } from './entries.ts';

/** there: its code and id are known now · absent: proven absent · unknown: the lists prove nothing. */
type SearchResult = 'there' | 'absent' | 'unknown';

/** Milliseconds by which the target's clock may be slow. */
const CLOCK_TOLERANCE = 600_000;

/** Finds cards whose codes the service chose, by their marks: one search per account. */
export class FindByMarker {
  readonly #client: Client;
  readonly #entries: readonly Entry[];
  readonly #searches = new Map<string | undefined, Promise<{ cards: CardSearch; isWhole: boolean }>>();

  constructor(client: Client, entries: readonly Entry[]) {
    this.#client = client;
    this.#entries = entries;
  }

  /** Looks for the card of an entry; when it exists, the entry has its code and id. */
  async find(entry: CardEntry): Promise<SearchResult> {
    if (entry.mark === undefined) return 'unknown';
    const search = this.#searches.get(entry.key) ?? this.#search(entry);
    this.#searches.set(entry.key, search);
    const { cards, isWhole } = await search;
    const card = cards.found.get(entry.mark);
    if (!card) return isWhole ? 'absent' : 'unknown';
    entry.code = card.code;
    if (card.id !== undefined) entry.id ??= card.id;
    return 'there';
  }

  /**
   * A card is proven absent when the whole list was read, or everything issued since an older card of the run, that card included. Without that card, the
   * target's clock may be slow, or it may read `since` differently.
   */
  async #search({ key, account }: CardEntry): Promise<{ cards: CardSearch; isWhole: boolean }> {
    const own = this.#entries.filter((each) => each.kind === 'card' && each.key === key) as CardEntry[];
    const wanted = own.filter((each) => pending(each) && each.mark !== undefined && each.code === '' && each.id === undefined);
    const known = own.filter(({ code, mark, own: isOwn }) => code !== '' && (isOwn || mark !== undefined));
    const { get } = cleanupRequests(this.#client, { key, account });
    const cards = new CardSearch(get, new Set(wanted.map(({ mark }) => mark)), new Set(known.map(({ code }) => code)));
    const first = Math.min(...wanted.map(({ number }) => number));
    const older = known.findLast(({ made, number }) => made && number < first);
    const sinceOlder = async () => {
      if (older?.sent === undefined) return false;
      const since = new Date(older.sent - CLOCK_TOLERANCE).toISOString();
      return (await cards.read({ since }, Number.POSITIVE_INFINITY)) && cards.shown.has(older.code);
    };
    // The cheapest first: usually the card was updated recently, or does not exist.
    let isWhole = false;
    for (const read of [() => cards.read({}, 1), sinceOlder, () => cards.read({}, Number.POSITIVE_INFINITY)])
      if (!isWhole && !cards.hasAll) isWhole = await read();
    return { cards, isWhole: isWhole && cards.isRead };
  }
}
