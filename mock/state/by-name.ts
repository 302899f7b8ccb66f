/** Whether names that differ in letter case only are the same. */
export type LetterCase = 'exact' | 'any';

/**
 * Things by a name that somebody gave them; under each name, the one that was put there last. They are found by their letters, whatever the case,
 * since hardly any two names differ in nothing else; the few that do stand aside.
 */
export class ByName<T> {
  readonly #byLetters = new Map<string, T>();
  /** By the same letters, what was put before under other names, the last one at the end. */
  readonly #aside = new Map<string, readonly T[]>();
  #name = '';
  #letters = '';
  readonly #nameOf: (thing: T) => string | null;

  /** A thing keeps its name for good. */
  constructor(nameOf: (thing: T) => string | null) {
    this.#nameOf = nameOf;
  }

  put(thing: T): void {
    const name = this.#nameOf(thing) as string;
    const letters = this.#lettersOf(name);
    const last = this.#byLetters.get(letters);
    if (last !== undefined) {
      // Put behind all others, so that a copy has the last one of each name too.
      this.#byLetters.delete(letters);
      if (this.#nameOf(last) !== name || this.#aside.has(letters))
        this.#aside.set(
          letters,
          [...(this.#aside.get(letters) ?? []), last].filter((other) => this.#nameOf(other) !== name),
        );
    }
    this.#byLetters.set(letters, thing);
  }

  /** In an order in which they, put again, make the same. */
  *things(): Iterable<T> {
    for (const [letters, last] of this.#byLetters) {
      yield* this.#aside.get(letters) ?? [];
      yield last;
    }
  }

  get(name: string, letterCase: LetterCase): T | undefined {
    const letters = this.#lettersOf(name);
    const last = this.#byLetters.get(letters);
    if (last === undefined || letterCase === 'any' || this.#nameOf(last) === name) return last;
    return this.#aside.get(letters)?.find((other) => this.#nameOf(other) === name);
  }

  /** Who looks for a name mostly does so more than once, and then puts it. */
  #lettersOf(name: string): string {
    if (name !== this.#name) {
      this.#name = name;
      this.#letters = name.toLowerCase();
    }
    return this.#letters;
  }
}
