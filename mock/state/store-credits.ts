import type { Placed, Recency } from './recency.ts';

/** The store credits among cards that stand in an order, for lists that go without them; such a list costs as much more as there are of them. */
export class StoreCredits<T extends Placed> {
  readonly #credits = new Set<T>();
  readonly #order: Recency<T>;

  constructor(order: Recency<T>) {
    this.#order = order;
  }

  add(credit: T): void {
    this.#credits.add(credit);
  }

  /** How many cards are none; with the hidden ones only when asked for. */
  countOthers(withHidden: boolean): number {
    return this.#order.size(withHidden) - this.#order.newestOf(this.#credits, withHidden).length;
  }

  /** At most `length` cards that are none, from `position` among those on, 0 being the one touched last. */
  pageOfOthers(position: number, length: number, withHidden: boolean): T[] {
    const credits = this.#order.newestOf(this.#credits, withHidden);
    // The n-th store credit from the top has its rank less n other cards ahead of it.
    const below = credits.findIndex((credit, n) => this.#order.rank(credit, withHidden) - n > position);
    let from = position + (below < 0 ? credits.length : below);
    const page: T[] = [];
    while (page.length < length) {
      const next = this.#order.page(from, length - page.length, withHidden);
      if (next.length === 0) break;
      from += next.length;
      page.push(...next.filter((each) => !this.#credits.has(each)));
    }
    return page;
  }
}
