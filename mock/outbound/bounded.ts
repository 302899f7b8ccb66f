/** Of all that is kept in memory of one kind, in bytes. */
const CAPACITY = 16 * 1024 * 1024;

/** What is left out of an entry's size: the object, its short fields. */
const OVERHEAD = 512;

/** The last entries of something that never ends, bounded by number and by bytes; it says how many it has let go. */
export class Bounded<T> {
  #entries: T[] = [];
  #sizes: number[] = [];
  #start = 0;
  #bytes = 0;
  dropped = 0;

  readonly limit: number;
  readonly #lengthOf: (entry: T) => number;
  readonly #capacity: number;

  /** `lengthOf` says how many letters an entry's long texts have; two bytes are counted for each. */
  constructor(limit: number, lengthOf: (entry: T) => number, capacity = CAPACITY) {
    this.limit = limit;
    this.#lengthOf = lengthOf;
    this.#capacity = capacity;
  }

  /** The newest entry is kept whatever its size. */
  add(entry: T): void {
    const size = OVERHEAD + 2 * this.#lengthOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#trim();
  }

  /** To be told when an entry has become longer. One that was let go already is none of ours. */
  grown(entry: T): void {
    const place = this.#entries.lastIndexOf(entry);
    if (place < 0) return;
    const size = OVERHEAD + 2 * this.#lengthOf(entry);
    this.#bytes += size - (this.#sizes[place] as number);
    this.#sizes[place] = size;
    this.#trim();
  }

  /** The one with this number, where each has a higher one than those before it; undefined when it is not kept. */
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

  /** The same entries again, and what had been let go. */
  restore(entries: readonly T[], dropped: number): void {
    this.#entries = [];
    this.#sizes = [];
    this.#start = 0;
    this.#bytes = 0;
    for (const entry of entries) this.add(entry);
    this.dropped += dropped;
  }

  get #length(): number {
    return this.#entries.length - this.#start;
  }

  #trim(): void {
    while (this.#length > 1 && (this.#length > this.limit || this.#bytes > this.#capacity)) this.#drop();
    if (this.#start > this.limit) {
      this.#entries = this.#entries.slice(this.#start);
      this.#sizes = this.#sizes.slice(this.#start);
      this.#start = 0;
    }
  }

  #drop(): void {
    this.#bytes -= this.#sizes[this.#start] as number;
    this.#entries[this.#start++] = undefined as T;
    this.dropped++;
  }
}
