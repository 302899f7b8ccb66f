import { createHash } from 'node:crypto';

/** The last few things by a key, whatever its length; the key that was new first gives way first. */
export class Recent<T> {
  readonly #byKey = new Map<string, T>();
  readonly #limit: number;

  constructor(limit = 256) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#byKey.get(short(key));
  }

  /** Puts the value in the place of the one that it returns. */
  replace(text: string, value: T): T | undefined {
    const key = short(text);
    const before = this.#byKey.get(key);
    this.#byKey.set(key, value);
    if (before === undefined && this.#byKey.size > this.#limit) this.#byKey.delete(this.#byKey.keys().next().value as string);
    return before;
  }

  /** With the keys as they are kept, the oldest first. */
  all(): readonly (readonly [key: string, value: T])[] {
    return [...this.#byKey];
  }

  /** Puts back what `all` gave. */
  restore(all: readonly (readonly [key: string, value: T])[]): void {
    this.#byKey.clear();
    for (const [key, value] of all) this.#byKey.set(key, value);
  }
}

/** The longest key that is kept as it is, in letters. */
const LONGEST = 256;

/** A long key is kept as its digest, so that what is remembered is bounded in bytes too. */
function short(key: string): string {
  return key.length <= LONGEST ? key : createHash('sha1').update(key).digest('base64');
}
