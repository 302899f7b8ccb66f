interface Issued<T> {
  readonly entry: T;
  readonly at: number;
}

/**
 * Entries in the order of a moment that each has for good. Most come in that order; those that do not (the clock was set back, a world's cards come by
 * their last update) wait until somebody asks, and a few of them cost no more than what stands behind their place.
 */
export class ByIssue<T> {
  #inOrder: Issued<T>[] = [];
  #late: Issued<T>[] = [];

  add(entry: T, at: number): void {
    const last = this.#inOrder.at(-1);
    (last && at < last.at ? this.#late : this.#inOrder).push({ entry, at });
  }

  /** Those strictly after `moment`, found without looking at the others. */
  after(moment: number): T[] {
    this.#takeLate();
    return this.#inOrder.slice(this.#firstAfter(moment)).map(({ entry }) => entry);
  }

  #takeLate(): void {
    const late = this.#late;
    if (late.length === 0) return;
    this.#late = [];
    if (late.length > 32) {
      for (const each of late) this.#inOrder.push(each);
      this.#inOrder.sort((a, b) => a.at - b.at);
    } else for (const each of late) this.#inOrder.splice(this.#firstAfter(each.at), 0, each);
  }

  #firstAfter(moment: number): number {
    let [from, to] = [0, this.#inOrder.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#inOrder[middle] as Issued<T>).at > moment) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}
