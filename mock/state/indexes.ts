import type { ListingRecord } from './records.ts';

export type LetterCase = 'exact' | 'any';

/** Finds entries by name. If several entries have the name, finds the last entry. */
export class NameIndex<T> {
  /** The last entry of each lower-case name. */
  readonly #last = new Map<string, T>();
  /** The entries of each lower-case name, except the last entry. */
  readonly #earlier = new Map<string, T[]>();
  /** The last name is cached, because one request looks up the same name several times. */
  #name = '';
  #lowerCase = '';
  readonly #nameOf: (entry: T) => string;

  /** `nameOf` must always return the same name for an entry. */
  constructor(nameOf: (entry: T) => string) {
    this.#nameOf = nameOf;
  }

  add(entry: T): void {
    const lowerCase = this.#lowerCaseOf(this.#nameOf(entry));
    const last = this.#last.get(lowerCase);
    if (last !== undefined) this.#earlier.set(lowerCase, [...(this.#earlier.get(lowerCase) ?? []), last]);
    this.#last.set(lowerCase, entry);
  }

  get(name: string, letterCase: LetterCase): T | undefined {
    const lowerCase = this.#lowerCaseOf(name);
    const last = this.#last.get(lowerCase);
    if (last === undefined || letterCase === 'any' || this.#nameOf(last) === name) return last;
    return this.#earlier.get(lowerCase)?.findLast((entry) => this.#nameOf(entry) === name);
  }

  #lowerCaseOf(name: string): string {
    if (name !== this.#name) {
      this.#name = name;
      this.#lowerCase = name.toLowerCase();
    }
    return this.#lowerCase;
  }
}

/** Finds entries by email address, in any letter case. */
export class RecipientIndex<T> {
  readonly #byAddress = new Map<string, T[]>();

  /** Moves the entry from its former address to a new address. Null means that the entry has no address. */
  move(entry: T, address: string | null, former: string | null): void {
    const entries = former === null ? undefined : this.#byAddress.get(former.toLowerCase());
    entries?.splice(entries.indexOf(entry), 1);
    if (address === null) return;
    const key = address.toLowerCase();
    const present = this.#byAddress.get(key);
    if (present) present.push(entry);
    else this.#byAddress.set(key, [entry]);
  }

  get(address: string): readonly T[] {
    return this.#byAddress.get(address.toLowerCase()) ?? [];
  }
}

/** Finds entries by time. */
export class TimeIndex<T> {
  readonly #entries: T[] = [];
  #isSorted = true;
  readonly #timeOf: (entry: T) => number;

  /** `timeOf` must always return the same time for an entry. */
  constructor(timeOf: (entry: T) => number) {
    this.#timeOf = timeOf;
  }

  /** Adds an entry. If the clock was set back, entries arrive out of order, and the next search sorts them. */
  add(entry: T): void {
    const last = this.#entries.at(-1);
    if (last !== undefined && this.#timeOf(entry) < this.#timeOf(last)) this.#isSorted = false;
    this.#entries.push(entry);
  }

  /** Returns the entries strictly after a time, by binary search. */
  after(time: number): T[] {
    if (!this.#isSorted) this.#entries.sort((one, other) => this.#timeOf(one) - this.#timeOf(other));
    this.#isSorted = true;
    let [from, to] = [0, this.#entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#timeOf(this.#entries[middle] as T) > time) to = middle;
      else from = middle + 1;
    }
    return this.#entries.slice(from);
  }
}

/** Finds an entry by its source ID in a channel. The first search builds the index, because most accounts never search. */
export class SourceIndex<T extends { readonly listings: readonly ListingRecord[] }> {
  #bySource: Map<string, T> | undefined;

  /** Adds a listing of the entry, or replaces `former` by the listing. */
  put(entry: T, listing: ListingRecord, former?: ListingRecord): void {
    if (former?.state === 'synced') this.#bySource?.delete(sourceKey(former.channelId, former.sourceId));
    if (listing.state === 'synced') this.#bySource?.set(sourceKey(listing.channelId, listing.sourceId), entry);
  }

  /** Returns an entry. The first search builds the index from `all`. */
  get(channelId: string, sourceId: string, all: Iterable<T>): T | undefined {
    if (!this.#bySource) {
      this.#bySource = new Map();
      for (const entry of all) for (const listing of entry.listings) this.put(entry, listing);
    }
    return this.#bySource.get(sourceKey(channelId, sourceId));
  }
}

function sourceKey(channelId: string, sourceId: string): string {
  return `${channelId}\n${sourceId}`;
}
