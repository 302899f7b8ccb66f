/** Limit in bytes for all kept entries of one list. */
const CAPACITY = 16 * 1024 * 1024;

/** Counted for an entry's object and short fields, in bytes. */
const OVERHEAD = 512;

/** The last entries of an endless list, limited by number and by bytes; it counts those that it dropped. */
export class Bounded<T> {
  #entries: T[] = [];
  #sizes: number[] = [];
  #start = 0;
  #bytes = 0;
  dropped = 0;
  readonly limit: number;
  readonly #lengthOf: (entry: T) => number;
  readonly #capacity: number;

  /** `lengthOf` returns the length of an entry's long texts in characters; each counts as two bytes. */
  constructor(limit: number, lengthOf: (entry: T) => number, capacity = CAPACITY) {
    this.limit = limit;
    this.#lengthOf = lengthOf;
    this.#capacity = capacity;
  }

  /** The newest entry is always kept. */
  add(entry: T): void {
    this.#entries.push(entry);
    this.#sizes.push(0);
    this.#measure(this.#entries.length - 1);
  }

  /** Measures an entry again that has become longer; one that was dropped is ignored. */
  grown(entry: T): void {
    const position = this.#entries.lastIndexOf(entry);
    if (position >= 0) this.#measure(position);
  }

  /** Finds an entry by its number, by which the entries are sorted; undefined if it is not kept. */
  numbered(number: number, numberOf: (entry: T) => number): T | undefined {
    let from = this.#start;
    let to = this.#entries.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (numberOf(this.#entries[middle] as T) < number) from = middle + 1;
      else to = middle;
    }
    const entry = this.#entries[from];
    return entry && numberOf(entry) === number ? entry : undefined;
  }

  get last(): T | undefined {
    return this.#entries.at(-1);
  }

  /** Oldest first. */
  all(): T[] {
    return this.#entries.slice(this.#start);
  }

  /** Replaces the entries; `dropped` were dropped before. */
  restore(entries: readonly T[], dropped: number): void {
    this.#entries = [];
    this.#sizes = [];
    this.#start = 0;
    this.#bytes = 0;
    for (const entry of entries) this.add(entry);
    this.dropped += dropped;
  }

  #measure(position: number): void {
    const size = OVERHEAD + 2 * this.#lengthOf(this.#entries[position] as T);
    this.#bytes += size - (this.#sizes[position] as number);
    this.#sizes[position] = size;
    while (this.#entries.length - this.#start > 1 && this.#isFull()) this.#drop();
    if (this.#start <= this.limit) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#sizes = this.#sizes.slice(this.#start);
    this.#start = 0;
  }

  #isFull(): boolean {
    return this.#entries.length - this.#start > this.limit || this.#bytes > this.#capacity;
  }

  #drop(): void {
    this.#bytes -= this.#sizes[this.#start] as number;
    this.#entries[this.#start++] = undefined as T;
    this.dropped++;
  }
}
