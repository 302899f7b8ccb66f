/** Whether names that differ in letter case only are the same. */
export type LetterCase = 'exact' | 'any';

/**
 * Things by a name that somebody gave them; under each name, the one that was put there last. Letter case counts, unless it is asked for in any:
 * the index for that is made when somebody asks so for the first time, since most accounts never do.
 */
export class ByName<T> {
  readonly #exact = new Map<string, T>();
  #inAnyCase: Map<string, T> | undefined;

  put(name: string, thing: T): void {
    // Put behind all others, so that an index made later, here or in a copy, has the last one of each name too.
    if (this.#exact.has(name)) this.#exact.delete(name);
    this.#exact.set(name, thing);
    this.#inAnyCase?.set(name.toLowerCase(), thing);
  }

  /** In the order in which they were put there; put again in this order, they make the same. */
  entries(): Iterable<[name: string, thing: T]> {
    return this.#exact.entries();
  }

  get(name: string, letterCase: LetterCase): T | undefined {
    if (letterCase === 'exact') return this.#exact.get(name);
    this.#inAnyCase ??= new Map(Array.from(this.#exact, ([given, thing]) => [given.toLowerCase(), thing]));
    return this.#inAnyCase.get(name.toLowerCase());
  }
}
