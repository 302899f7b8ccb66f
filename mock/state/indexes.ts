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
