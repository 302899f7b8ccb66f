export interface Ranked {
  /** The position of the entry; -1 before its first update. */
  slot: number;
}

/** The number of slots that are counted together. */
const BLOCK = 1024;

/**
 * Entries in the order of their last update, newest first. Entries can be hidden. An update moves an entry to a new slot at the end. If more than half
 * of the slots are empty, the list removes the empty slots. With the counts per block of slots, every page takes the same time.
 */
export class Recency<T extends Ranked> {
  #slots: (T | undefined)[] = [];
  readonly #hidden = new Set<T>();
  /** The number of entries in each block. */
  #all: number[] = [];
  /** The number of visible entries in each block. */
  #visible: number[] = [];
  #size = 0;

  size(withHidden: boolean): number {
    return withHidden ? this.#size : this.#size - this.#hidden.size;
  }

  touch(entry: T, isHidden = false): void {
    if (entry.slot >= 0) this.#remove(entry);
    else this.#size++;
    if (this.#slots.length >= 2 * this.#size + BLOCK) this.#compact();
    if (isHidden) this.#hidden.add(entry);
    this.#append(entry);
  }

  /** Moves all entries with a later time before the newest entry, in their order. */
  settle(entry: T, timeOf: (entry: T) => number): void {
    const later: T[] = [];
    for (let slot = entry.slot - 1; slot >= 0; slot--) {
      const other = this.#slots[slot];
      if (other === undefined) continue;
      if (timeOf(other) <= timeOf(entry)) break;
      later.push(other);
    }
    for (const other of later.reverse()) this.touch(other, this.#hidden.has(other));
  }

  newestOf(entries: Iterable<T>, withHidden: boolean): T[] {
    return Array.from(entries)
      .filter((entry) => entry.slot >= 0 && (withHidden || !this.#hidden.has(entry)))
      .sort((one, other) => other.slot - one.slot);
  }

  /** Returns at most `length` entries from `position` on. The newest entry is at 0. */
  page(position: number, length: number, withHidden: boolean): T[] {
    const counts = withHidden ? this.#all : this.#visible;
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

  #append(entry: T): void {
    entry.slot = this.#slots.push(entry) - 1;
    this.#count(entry, 1);
  }

  #remove(entry: T): void {
    this.#slots[entry.slot] = undefined;
    this.#count(entry, -1);
    this.#hidden.delete(entry);
  }

  #count(entry: T, by: number): void {
    const block = Math.trunc(entry.slot / BLOCK);
    this.#all[block] = (this.#all[block] ?? 0) + by;
    this.#visible[block] = (this.#visible[block] ?? 0) + (this.#hidden.has(entry) ? 0 : by);
  }

  #compact(): void {
    const slots = this.#slots;
    this.#slots = [];
    this.#all = [];
    this.#visible = [];
    for (const entry of slots) if (entry !== undefined) this.#append(entry);
  }
}
