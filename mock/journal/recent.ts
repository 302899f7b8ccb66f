/** The last few things by a key; the key that was new first gives way first. */
export class Recent<T> {
  readonly #byKey = new Map<string, T>();
  readonly #limit: number;

  constructor(limit = 256) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  /** Puts the value in the place of the one that it returns. */
  replace(key: string, value: T): T | undefined {
    const before = this.#byKey.get(key);
    this.#byKey.set(key, value);
    if (before === undefined && this.#byKey.size > this.#limit) this.#byKey.delete(this.#byKey.keys().next().value as string);
    return before;
  }
}
