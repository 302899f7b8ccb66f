export type LetterCase = 'exact' | 'any';

/** Finds entries by a text, such as a code or an address, in any letter case. */
export class TextIndex<T extends object> {
  /** By text in lower case, one entry, or a list of several entries. Most texts have one entry, and a list would need more memory. */
  readonly #entries = new Map<string, T | T[]>();

  add(entry: T, text: string): void {
    const key = text.toLowerCase();
    const present = this.#entries.get(key);
    if (Array.isArray(present)) present.push(entry);
    else this.#entries.set(key, present === undefined ? entry : [present, entry]);
  }

  remove(entry: T, text: string): void {
    const others = this.get(text).filter((each) => each !== entry);
    this.#entries.set(text.toLowerCase(), others);
  }

  /** Returns the entries in the order of addition. */
  get(text: string): readonly T[] {
    const found = this.#entries.get(text.toLowerCase()) ?? [];
    return Array.isArray(found) ? found : [found];
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
