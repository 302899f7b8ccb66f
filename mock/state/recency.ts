export interface Ranked {
  readonly card: { readonly createdAt: number; readonly updatedAt: number };
  /** The block of the entry. Undefined before its first update. */
  block: Block | undefined;
  /** The position in the block. */
  slot: number;
}

/** The number of slots of a full block. */
const FULL = 1024;

/** Some consecutive entries, oldest first. The slots of removed entries are empty. The times of a block include removed entries. */
class Block {
  /** The position of the block in the list. */
  place: number;
  slots: (Ranked | undefined)[] = [];
  /** The time of issue of each entry; -Infinity for an empty slot. A search in numbers is faster than a search in entries. */
  issues: number[] = [];
  all = 0;
  visible = 0;
  firstIssue = Number.POSITIVE_INFINITY;
  lastIssue = Number.NEGATIVE_INFINITY;
  firstUpdate = Number.POSITIVE_INFINITY;

  constructor(place: number) {
    this.place = place;
  }
}

/**
 * Entries in the order of their last update, newest first. Entries can be hidden. An update moves an entry to a new slot at the end. With the counts
 * and times per block of slots, every page takes about the same time.
 */
export class Recency<T extends Ranked> {
  #blocks = [new Block(0)];
  readonly #hidden = new Set<Ranked>();
  #size = 0;

  size(withHidden: boolean): number {
    return withHidden ? this.#size : this.#size - this.#hidden.size;
  }

  touch(entry: T, isHidden = false): void {
    if (entry.block) this.#remove(entry, entry.block);
    else this.#size++;
    if (isHidden) this.#hidden.add(entry);
    let last = this.#blocks.at(-1) as Block;
    if (last.slots.length >= FULL) {
      last = new Block(this.#blocks.length);
      this.#blocks.push(last);
    }
    this.#add(entry, last);
  }

  /** Moves the newest entry behind all entries with a later update. */
  settle(entry: T): void {
    const { updatedAt } = entry.card;
    const isHidden = this.#hidden.has(entry);
    this.#remove(entry, entry.block as Block);
    if (isHidden) this.#hidden.add(entry);
    const isEarlier = (other: Ranked | undefined) => other !== undefined && other.card.updatedAt <= updatedAt;
    const found = this.#blocks.findLast(({ firstUpdate, slots }) => firstUpdate <= updatedAt && slots.some(isEarlier));
    const block = found ?? (this.#blocks[0] as Block);
    const slot = found ? block.slots.findLastIndex(isEarlier) + 1 : 0;
    this.#refill(block, [...block.slots.slice(0, slot), entry, ...block.slots.slice(slot)]);
  }

  newestOf(entries: Iterable<T>, withHidden: boolean): T[] {
    return Array.from(entries)
      .filter((entry) => entry.block && (withHidden || !this.#hidden.has(entry)))
      .sort((one, other) => (other.block?.place ?? 0) - (one.block?.place ?? 0) || other.slot - one.slot);
  }

  /**
   * Finds the entries that were issued strictly after a time. Returns their number, and at most `length` of them from `position` on. The newest entry
   * is at 0.
   */
  page(position: number, length: number, withHidden: boolean, after = Number.NEGATIVE_INFINITY) {
    const entries: T[] = [];
    let count = 0;
    for (let place = this.#blocks.length - 1; place >= 0; place--) {
      const block = this.#blocks[place] as Block;
      if (block.lastIssue <= after) continue;
      const size = withHidden ? block.all : block.visible;
      if (block.firstIssue > after && (entries.length === length || count + size <= position)) {
        count += size;
        continue;
      }
      for (let slot = block.slots.length - 1; slot >= 0; slot--) {
        if (!((block.issues[slot] as number) > after)) continue;
        const entry = block.slots[slot] as T;
        if (size < block.all && this.#hidden.has(entry)) continue;
        if (count++ >= position && entries.length < length) entries.push(entry);
      }
    }
    return { entries, count };
  }

  /** Returns all entries, newest first. An entry that is updated during the iteration may be missing. */
  *newestFirst(): Generator<T> {
    for (const { slots } of this.#blocks.toReversed())
      for (let slot = slots.length - 1; slot >= 0; slot--) if (slots[slot]) yield slots[slot] as T;
  }

  /** Returns all entries, oldest first. */
  *all(): Generator<T> {
    for (const { slots } of this.#blocks) for (const entry of slots) if (entry) yield entry as T;
  }

  #add(entry: Ranked, block: Block): void {
    const { createdAt, updatedAt } = entry.card;
    entry.block = block;
    entry.slot = block.slots.push(entry) - 1;
    block.issues.push(createdAt);
    block.all++;
    if (!this.#hidden.has(entry)) block.visible++;
    block.firstIssue = Math.min(block.firstIssue, createdAt);
    block.lastIssue = Math.max(block.lastIssue, createdAt);
    block.firstUpdate = Math.min(block.firstUpdate, updatedAt);
  }

  #remove(entry: Ranked, block: Block): void {
    block.slots[entry.slot] = undefined;
    block.issues[entry.slot] = Number.NEGATIVE_INFINITY;
    block.all--;
    if (!this.#hidden.delete(entry)) block.visible--;
    // Neighbors that are nearly empty become one block.
    const next = this.#blocks[block.place + 1];
    if (next && block.all + next.all < FULL / 2) {
      this.#blocks.splice(next.place, 1);
      this.#refill(block, [...block.slots, ...next.slots]);
    }
  }

  /** Replaces the entries of a block. If they are too many, splits the block. */
  #refill(block: Block, slots: readonly (Ranked | undefined)[]): void {
    const entries = slots.filter((entry) => entry !== undefined);
    const parts = entries.length > 2 * FULL ? [entries.slice(0, FULL), entries.slice(FULL)] : [entries];
    const filled = parts.map((some) => {
      const made = new Block(0);
      for (const entry of some) this.#add(entry, made);
      return made;
    });
    this.#blocks.splice(block.place, 1, ...filled);
    for (let place = block.place; place < this.#blocks.length; place++) (this.#blocks[place] as Block).place = place;
  }
}
