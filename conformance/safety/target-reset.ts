import type { Client } from '../http/client.ts';
import type { Exchange } from '../http/exchange.ts';
import { CardSearch } from './card-search.ts';
import { cleanupRequests } from './cleanup-requests.ts';
import type { CardEntry, Entry } from './entries.ts';

/** Most full pages read: a restarted service has few cards, and each of them is looked up. */
const MAX_FULL_PAGES = 2;

/**
 * Proves that entries of an earlier run vanished, as after a restart of a service that keeps everything in memory. "Not found" is not enough: the look-up
 * may be what is broken. The whole list must lack the card, and each of its records must lead to a card.
 */
export class TargetReset {
  readonly #client: Client;
  readonly #cards: readonly CardEntry[];
  /** By key: the codes of all existing cards, or undefined when not all could be read. */
  readonly #present = new Map<string | undefined, Promise<ReadonlySet<string> | undefined>>();

  constructor(client: Client, entries: readonly Entry[]) {
    this.#client = client;
    this.#cards = entries.filter((entry) => entry.kind === 'card');
  }

  /** Whether an entry is gone, given the requests of the attempt to remove it. */
  async proves(entry: Entry, requests: readonly Exchange[]): Promise<boolean> {
    const looks = requests.filter(({ method }) => method === 'GET');
    if (!entry.made || looks.length === 0) return false;
    // The list has shown this record before, so it would show it now.
    if (entry.kind === 'record') return entry.shown === true && looks.at(-1)?.status === 200;
    if (entry.code === '' || looks.some(({ status }) => status !== 404)) return false;
    const present = this.#present.get(entry.key) ?? this.#listed(entry);
    this.#present.set(entry.key, present);
    return (await present)?.has(entry.code) === false;
  }

  async #listed({ key, account }: Entry): Promise<ReadonlySet<string> | undefined> {
    const known = this.#cards.filter((card) => card.key === key && card.own).map(({ code }) => code);
    // No card has this mark, so the whole list is read.
    const cards = new CardSearch(cleanupRequests(this.#client, { key, account }).get, new Set([Symbol('none')]), new Set(known));
    const isWhole = await cards.read({}, MAX_FULL_PAGES);
    return isWhole && cards.isRead ? cards.shown : undefined;
  }
}
