/** The last `limit` entries of something that never ends; it says how many it has let go. */
export class Bounded<T> {
  #entries: T[] = [];
  #start = 0;
  dropped = 0;

  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(entry: T): void {
    this.#entries.push(entry);
    if (this.#entries.length - this.#start <= this.limit) return;
    this.#entries[this.#start++] = undefined as T;
    this.dropped++;
    if (this.#start > this.limit) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Oldest first. */
  all(): T[] {
    return this.#entries.slice(this.#start);
  }
}
