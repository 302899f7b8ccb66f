/**
 * Entries in the order of a moment that each has for good. Most come in that order; those that do not (the clock was set back, a world's cards come by
 * their last update) wait until somebody asks, and a few of them cost no more than what stands behind their place.
 */
export class ByIssue<T> {
  #inOrder: T[] = [];
  #late: T[] = [];
  readonly #momentOf: (entry: T) => number;

  constructor(momentOf: (entry: T) => number) {
    this.#momentOf = momentOf;
  }

  add(entry: T): void {
    const last = this.#inOrder.at(-1);
    const isLate = last !== undefined && this.#momentOf(entry) < this.#momentOf(last);
    (isLate ? this.#late : this.#inOrder).push(entry);
  }

  /** Those strictly after `moment`, found without looking at the others. */
  after(moment: number): T[] {
    this.#takeLate();
    return this.#inOrder.slice(this.#firstAfter(moment));
  }

  #takeLate(): void {
    const late = this.#late;
    if (late.length === 0) return;
    this.#late = [];
    if (late.length > 32) {
      for (const each of late) this.#inOrder.push(each);
      this.#inOrder.sort((a, b) => this.#momentOf(a) - this.#momentOf(b));
    } else for (const each of late) this.#inOrder.splice(this.#firstAfter(this.#momentOf(each)), 0, each);
  }

  #firstAfter(moment: number): number {
    let [from, to] = [0, this.#inOrder.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#momentOf(this.#inOrder[middle] as T) > moment) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
