import { later } from '../account/clock.ts';

/** Limit in bytes for all kept entries of one log. */
const CAPACITY = 16 * 1024 * 1024;

/** Estimated size of an entry in bytes, without its long texts. */
const OVERHEAD = 512;

interface Waiter<T> {
  notify(entry: T): void;
  stop(): void;
}

/**
 * The last entries of an endless list, limited by number and by bytes. It counts the entries that it dropped. A caller can wait until entries
 * match: the log notifies the caller of each change, so no caller polls.
 */
export class BoundedLog<T> {
  #entries: T[] = [];
  #sizes: number[] = [];
  #start = 0;
  #bytes = 0;
  #dropped = 0;
  #isStopped = false;
  readonly #waiters = new Set<Waiter<T>>();
  readonly #limit: number;
  readonly #lengthOf: (entry: T) => number;
  readonly #capacity: number;

  /** `lengthOf` returns the length of an entry's long texts in characters; each counts as two bytes. */
  constructor(lengthOf: (entry: T) => number, limit = 10_000, capacity = CAPACITY) {
    this.#lengthOf = lengthOf;
    this.#limit = limit;
    this.#capacity = capacity;
  }

  /** The number of entries that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get last(): T | undefined {
    return this.#entries.at(-1);
  }

  /** Oldest first. */
  all(): T[] {
    return this.#entries.slice(this.#start);
  }

  /** The newest entry is always kept. */
  add(entry: T): void {
    this.#entries.push(entry);
    this.#sizes.push(0);
    this.#measure(this.#entries.length - 1);
    this.#notify(entry);
  }

  /** Measures an entry again that has changed, and notifies those who wait for it. */
  update(entry: T): void {
    const position = this.#entries.lastIndexOf(entry);
    if (position >= 0) this.#measure(position);
    this.#notify(entry);
  }

  /** Finds an entry by its number; entries are in the order of their numbers. Undefined if the entry is not kept. */
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

  /**
   * Resolves with the matching entries as soon as `count` of the present and later ones match. Resolves with fewer at the deadline, in real
   * milliseconds, or when the log is stopped. Without a deadline it waits until then.
   */
  waitFor(matches: (entry: T) => boolean, count: number, milliseconds?: number): Promise<readonly T[]> {
    const matching = new Set(this.all().filter(matches));
    if (matching.size >= count || this.#isStopped) return Promise.resolve([...matching]);
    return new Promise((resolve) => {
      const end = () => {
        this.#waiters.delete(waiter);
        cancel?.();
        resolve([...matching]);
      };
      const waiter: Waiter<T> = {
        notify: (entry) => {
          // An entry can change, so one that matched may stop matching.
          if (matches(entry)) matching.add(entry);
          else matching.delete(entry);
          if (matching.size >= count) end();
        },
        stop: end,
      };
      const cancel = milliseconds === undefined ? undefined : later(milliseconds, end);
      this.#waiters.add(waiter);
    });
  }

  /** Ends every wait, now and later. */
  stop(): void {
    this.#isStopped = true;
    for (const waiter of this.#waiters) waiter.stop();
  }

  /** Restores into an empty log; `dropped` entries were dropped before. */
  restore(entries: readonly T[], dropped: number): void {
    for (const entry of entries) this.add(entry);
    this.#dropped += dropped;
  }

  #notify(entry: T): void {
    for (const waiter of this.#waiters) waiter.notify(entry);
  }

  #measure(position: number): void {
    const size = OVERHEAD + 2 * this.#lengthOf(this.#entries[position] as T);
    this.#bytes += size - (this.#sizes[position] as number);
    this.#sizes[position] = size;
    while (this.#entries.length - this.#start > 1 && this.#isFull()) this.#drop();
    if (this.#start <= this.#limit) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#sizes = this.#sizes.slice(this.#start);
    this.#start = 0;
  }

  #isFull(): boolean {
    return this.#entries.length - this.#start > this.#limit || this.#bytes > this.#capacity;
  }

  #drop(): void {
    this.#bytes -= this.#sizes[this.#start] as number;
    this.#entries[this.#start++] = undefined as T;
    this.#dropped++;
  }
}
