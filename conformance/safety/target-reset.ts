import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { asking } from './cleanup-requests.ts';
import type { CardEntry, Entry } from './entries.ts';
import { Listing } from './listing.ts';

/** Full pages of a list that are read at most: a service that was begun anew has few cards, and each of them is looked up. */
const mostPages = 2;

/**
 * What an earlier run made and nothing shows any more, as after a restart of a service that keeps all in memory. That a card is not found is no proof of
 * it, for the way of finding it may be what is broken: the whole list, each record of which leads to a card, has to be without it.
 */
export class Vanished {
  readonly #client: Client;
  readonly #cards: readonly CardEntry[];
  /** By key: codes of all cards that are there, or undefined where not all could be seen. */
  readonly #present = new Map<string | undefined, Promise<ReadonlySet<string> | undefined>>();

  constructor(client: Client, entries: readonly Entry[]) {
    this.#client = client;
    this.#cards = entries.filter((entry) => entry.kind === 'card');
  }

  /** `asked` is what was asked when it was to be taken away. */
  async proves(entry: Entry, asked: readonly Exchange[]): Promise<boolean> {
    const looks = asked.filter(({ method }) => method === 'GET');
    if (!entry.made || looks.length === 0) return false;
    // A list that has shown a record before is one that would show it.
    if (entry.kind === 'record') return entry.shown === true && looks.at(-1)?.status === 200;
    if (entry.code === '' || looks.some(({ status }) => status !== 404)) return false;
    const present = this.#present.get(entry.key) ?? this.#listed(entry.key);
    this.#present.set(entry.key, present);
    return (await present)?.has(entry.code) === false;
  }

  async #listed(key: string | undefined): Promise<ReadonlySet<string> | undefined> {
    const known = this.#cards.filter((card) => card.key === key && card.own).map(({ code }) => code);
    // No card has this mark, so that the list is read to its end.
    const listing = new Listing(asking(this.#client, { key }).get, new Set([Symbol('none')]), new Set(known));
    const isWhole = await listing.read({}, mostPages);
    return isWhole && listing.isRead ? listing.shown : undefined;
  }
}
