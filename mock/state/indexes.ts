import type { ListingRecord } from './records.ts';

export type LetterCase = 'exact' | 'any';

/** Entries by name. Of several entries with the same name, the one that was added last is found. */
export class NameIndex<T> {
  /** By the lower-case name; of several entries the last. */
  readonly #last = new Map<string, T>();
  /** Earlier entries whose lower-case name another entry has, too. */
  readonly #earlier = new Map<string, T[]>();
  /** One request looks the same name up several times. */
  #name = '';
  #lowerCase = '';
  readonly #nameOf: (entry: T) => string;

  /** The name of an entry never changes. */
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

/** Entries by email address, in any letter case. */
export class RecipientIndex<T> {
  readonly #byAddress = new Map<string, T[]>();

  /** Moves the entry to `address` from its former one; null for none. */
  move(entry: T, address: string | null, former: string | null): void {
    const formerKey = former?.toLowerCase();
    if (formerKey !== undefined)
      this.#byAddress.set(
        formerKey,
        this.get(formerKey).filter((other) => other !== entry),
      );
    const key = address?.toLowerCase();
    if (key === undefined) return;
    const entries = this.#byAddress.get(key);
    if (entries) entries.push(entry);
    else this.#byAddress.set(key, [entry]);
  }

  get(address: string): readonly T[] {
    return this.#byAddress.get(address.toLowerCase()) ?? [];
  }
}

/** Entries in the order of their time. */
export class TimeIndex<T> {
  readonly #entries: T[] = [];
  #isSorted = true;
  readonly #timeOf: (entry: T) => number;

  /** The time of an entry never changes. */
  constructor(timeOf: (entry: T) => number) {
    this.#timeOf = timeOf;
  }

  /** Most entries are added in order. The others, after the clock was set back, are sorted at the next search. */
  add(entry: T): void {
    const last = this.#entries.at(-1);
    if (last !== undefined && this.#timeOf(entry) < this.#timeOf(last)) this.#isSorted = false;
    this.#entries.push(entry);
  }

  /** The entries strictly after a time, found by binary search. */
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

/** Entries by the ID that a channel gave them. The index is built at the first search, which most accounts never make. */
export class SourceIndex<T extends { readonly listings: readonly ListingRecord[] }> {
  #bySource: Map<string, T> | undefined;

  /** Records that a listing of the entry was added, or replaced `former`. */
  put(entry: T, listing: ListingRecord, former?: ListingRecord): void {
    if (former?.state === 'synced') this.#bySource?.delete(sourceKey(former.channelId, former.sourceId));
    if (listing.state === 'synced') this.#bySource?.set(sourceKey(listing.channelId, listing.sourceId), entry);
  }

  /** `all` are the entries to build the index from. */
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
