/** What stands in an order of touches: its place, kept by the order alone. -1 when it is in none. */
export interface Placed {
  slot: number;
}

/** So many slots are counted together. */
const BLOCK = 1024;

/**
 * Entries in the order of their last touch, newest first, of which some are hidden. A touch takes a new slot and leaves the old one behind; slots left
 * behind are swept away when they outnumber the others. Each block of slots knows how many of it are taken, so that a page costs about the same
 * wherever it begins, and a touch costs the same however many there are.
 */
export class Recency<T extends Placed> {
  #slots: (T | undefined)[] = [];
  #hidden = new Set<T>();
  /** Per block, how many of its slots are taken, and by how many that are not hidden. */
  #all: number[] = [];
  #shown: number[] = [];
  #size = 0;

  /** How many there are; with the hidden ones only when asked for. */
  size(withHidden: boolean): number {
    return withHidden ? this.#size : this.#size - this.#hidden.size;
  }

  /** Makes the entry the newest, hidden or not. */
  touch(entry: T, hidden = false): void {
    if (entry.slot >= 0) this.#vacate(entry);
    else this.#size++;
    if (this.#slots.length >= 2 * this.#size + BLOCK) this.#sweep();
    if (hidden) this.#hidden.add(entry);
    this.#take(entry);
  }

  /** Of these entries those that are shown, or all, the one touched last first. */
  newestOf(entries: Iterable<T>, withHidden: boolean): T[] {
    return Array.from(entries)
      .filter((entry) => entry.slot >= 0 && (withHidden || !this.#hidden.has(entry)))
      .sort((one, other) => other.slot - one.slot);
  }

  /** At most `length` entries from `position` on, 0 being the one touched last. */
  page(position: number, length: number, withHidden: boolean): T[] {
    const counts = withHidden ? this.#all : this.#shown;
    const page: T[] = [];
    let skip = position;
    for (let block = counts.length - 1; block >= 0 && page.length < length; block--) {
      const count = counts[block] as number;
      if (skip >= count) {
        skip -= count;
        continue;
      }
      for (let slot = Math.min(this.#slots.length, (block + 1) * BLOCK) - 1; slot >= block * BLOCK; slot--) {
        const entry = this.#slots[slot];
        if (entry === undefined || (!withHidden && this.#hidden.has(entry))) continue;
        if (skip > 0) skip--;
        else if (page.push(entry) === length) break;
      }
    }
    return page;
  }

  #take(entry: T): void {
    entry.slot = this.#slots.push(entry) - 1;
    this.#count(entry, 1);
  }

  #vacate(entry: T): void {
    this.#slots[entry.slot] = undefined;
    this.#count(entry, -1);
    this.#hidden.delete(entry);
  }

  #count(entry: T, by: number): void {
    const block = Math.trunc(entry.slot / BLOCK);
    this.#all[block] = (this.#all[block] ?? 0) + by;
    this.#shown[block] = (this.#shown[block] ?? 0) + (this.#hidden.has(entry) ? 0 : by);
  }

  /** Moves the entries together, in their order. */
  #sweep(): void {
    const left = this.#slots;
    this.#slots = [];
    this.#all = [];
    this.#shown = [];
    for (const entry of left) if (entry !== undefined) this.#take(entry);
  }
}
