import { pause } from '../account/clock.ts';
import type { Count } from '../state/value-types.ts';

/** The limits of one log: its entries, and their size in bytes. */
export const MAX_ENTRIES = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The estimated size of an entry in bytes, without its long texts. */
const OVERHEAD = 512;

/** A log in a snapshot. */
export interface LogState<T> {
  /** The entries, oldest first. */
  readonly kept: readonly T[];
  readonly dropped: Count;
}

/**
 * Persists an added or changed entry, or removes it if `entry` is undefined. Entries are numbered from 0. The store calls `entry` when it
 * writes the row.
 */
type PersistEntry<T> = (number: number, entry: (() => T) | undefined) => void;

/** A log that keeps only its newest entries, up to a number and a size in bytes. A caller can wait for certain entries. */
export class BoundedLog<T> {
  #entries: T[] = [];
  #sizes: number[] = [];
  #start = 0;
  #bytes = 0;
  /** The number of entries that the log has removed. */
  dropped = 0;
  #isStopped = false;
  /** Functions that receive every added or changed entry, and undefined when the log is stopped. */
  readonly #waiters = new Set<(entry?: T) => void>();
  readonly #lengthOf: (entry: T) => number;
  readonly #persist: PersistEntry<T>;

  /** `lengthOf` returns the length of an entry's long texts in characters. Each character counts as two bytes. */
  constructor(lengthOf: (entry: T) => number, persist: PersistEntry<T> = () => {}) {
    this.#lengthOf = lengthOf;
    this.#persist = persist;
  }

  get last(): T | undefined {
    return this.#entries.at(-1);
  }

  all(): T[] {
    return this.#entries.slice(this.#start);
  }

  /** Adds an entry, and removes the oldest entries above the limits. The newest entry is always kept. */
  add(entry: T): void {
    this.#entries.push(entry);
    this.#sizes.push(0);
    this.#measure(this.#entries.length - 1);
    this.#notify(entry);
  }

  /** Measures a changed entry again, and notifies the callers that wait. */
  update(entry: T): void {
    const position = this.#entries.lastIndexOf(entry);
    if (position >= 0) this.#measure(position);
    this.#notify(entry);
  }

  findLast(matches: (entry: T) => boolean): T | undefined {
    return this.#entries.findLast((entry, position) => position >= this.#start && matches(entry));
  }

  /**
   * Resolves with the matching entries, old and new, once there are `count` of these entries. If `milliseconds` of real time pass before, or the log
   * is stopped before, resolves with fewer entries.
   */
  waitFor(matches: (entry: T) => boolean, count: number, milliseconds?: number): Promise<readonly T[]> {
    const matching = new Set(this.all().filter(matches));
    if (matching.size >= count || this.#isStopped) return Promise.resolve([...matching]);
    return new Promise((resolve) => {
      const end = () => {
        this.#waiters.delete(notify);
        deadline.abort();
        resolve([...matching]);
      };
      const notify = (entry?: T) => {
        if (entry !== undefined && matches(entry)) matching.add(entry);
        else if (entry !== undefined) matching.delete(entry);
        if (entry === undefined || matching.size >= count) end();
      };
      this.#waiters.add(notify);
      const deadline = new AbortController();
      if (milliseconds !== undefined) pause(milliseconds, deadline.signal).then(end, () => {});
    });
  }

  /** Ends every present and later wait. */
  stop(): void {
    this.#isStopped = true;
    for (const notify of this.#waiters) notify();
  }

  state(): LogState<T> {
    return { kept: this.all().map((entry) => this.captured(entry)), dropped: this.dropped };
  }

  /** Returns an entry for a snapshot or for the store. */
  protected captured(entry: T): T {
    return entry;
  }

  /** Restores the result of `state()` into an empty log. */
  restore({ kept, dropped }: LogState<T>): void {
    this.dropped = dropped;
    for (const entry of kept) this.add(entry);
  }

  #notify(entry: T): void {
    for (const notify of this.#waiters) notify(entry);
  }

  #measure(position: number): void {
    const entry = this.#entries[position] as T;
    this.#persist(this.dropped - this.#start + position, () => this.captured(entry));
    const size = OVERHEAD + 2 * this.#lengthOf(entry);
    this.#bytes += size - (this.#sizes[position] as number);
    this.#sizes[position] = size;
    while (this.#entries.length - this.#start > 1 && this.#isFull()) this.#drop();
    if (this.#start <= MAX_ENTRIES) return;
    this.#entries = this.#entries.slice(this.#start);
    this.#sizes = this.#sizes.slice(this.#start);
    this.#start = 0;
  }

  #isFull(): boolean {
    return this.#entries.length - this.#start > MAX_ENTRIES || this.#bytes > MAX_BYTES;
  }

  #drop(): void {
    // The store replaces the row of an entry by the row of the entry that comes MAX_ENTRIES later.
    if (this.#entries.length - this.#start <= MAX_ENTRIES) this.#persist(this.dropped, undefined);
    this.#bytes -= this.#sizes[this.#start] as number;
    this.#entries[this.#start++] = undefined as T;
    this.dropped++;
  }
}
