import type { Client } from '../http/client.ts';
import { asking } from './cleanup-requests.ts';
import { type CardEntry, type Entry, pending } from './entries.ts';
import { Listing } from './listing.ts';

/** there: its code and id are known now · absent: it is proven that there is none · unknown: what was looked at does not say. */
export type Sought = 'there' | 'absent' | 'unknown';

/** Milliseconds by which the target's clock may be behind. */
const behind = 600_000;

/** Finds cards whose codes the service chose by the marks that they carry: all of an account in one search. */
export class Marks {
  readonly #client: Client;
  readonly #entries: readonly Entry[];
  readonly #searches = new Map<string | undefined, Promise<{ listing: Listing; isWhole: boolean }>>();

  constructor(client: Client, entries: readonly Entry[]) {
    this.#client = client;
    this.#entries = entries;
  }

  /** Whether there is one, whose code and id the entry then has. */
  async sought(entry: CardEntry): Promise<Sought> {
    if (entry.mark === undefined) return 'unknown';
    const search = this.#searches.get(entry.key) ?? this.#search(entry.key);
    this.#searches.set(entry.key, search);
    const { listing, isWhole } = await search;
    const card = listing.found.get(entry.mark);
    if (!card) return isWhole ? 'absent' : 'unknown';
    entry.code = card.code;
    if (card.id !== undefined) entry.id ??= card.id;
    return 'there';
  }

  /**
   * That a card is not in the list is proven where the whole list was seen, or the whole of what was issued since a card of the run that is older, and
   * that one with it: a target whose clock is behind, or that reads the time otherwise, shows neither.
   */
  async #search(key: string | undefined): Promise<{ listing: Listing; isWhole: boolean }> {
    const own = this.#entries.filter((each) => each.kind === 'card' && each.key === key) as CardEntry[];
    const wanted = own.filter((each) => pending(each) && each.mark !== undefined && each.code === '' && each.id === undefined);
    const known = own.filter(({ code, mark, own: isOwn }) => code !== '' && (isOwn || mark !== undefined));
    const { get } = asking(this.#client, { key });
    const listing = new Listing(get, new Set(wanted.map(({ mark }) => mark)), new Set(known.map(({ code }) => code)));
    const first = Math.min(...wanted.map(({ number }) => number));
    const older = known.findLast(({ made, number }) => made && number < first);
    const sinceOlder = async () => {
      if (older?.sent === undefined) return false;
      const since = new Date(older.sent - behind).toISOString();
      return (await listing.read({ since }, Number.POSITIVE_INFINITY)) && listing.shown.has(older.code);
    };
    // The least first: mostly what is sought was updated lately, or is nowhere.
    let isWhole = false;
    for (const read of [() => listing.read({}, 1), sinceOlder, () => listing.read({}, Number.POSITIVE_INFINITY)])
      if (!isWhole && !listing.hasAll) isWhole = await read();
    return { listing, isWhole: isWhole && listing.isRead };
  }
}
