/**
 * Keys in the order of their last touch, newest first, with the position-th key found in O(log n): a page of a list costs the same on page 0
 * and on page 2,000. Each touch takes a new slot; a Fenwick tree over the slots counts the live ones; slots left behind are swept away when
 * they outnumber the live.
 */
export class Recency {
  #slots: (string | undefined)[] = [];
  #slotOf = new Map<string, number>();
  #tree = new Int32Array(1024);

  get size(): number {
    return this.#slotOf.size;
  }

  touch(key: string): void {
    const before = this.#slotOf.get(key);
    if (before !== undefined) this.#vacate(before);
    if (this.#slots.length + 1 >= this.#tree.length) this.#sweep();
    // The entry is overwritten, never deleted and set again: a Map keeps deleted entries in the way of the key until it grows.
    this.#slotOf.set(key, this.#slots.length);
    this.#slots.push(key);
    this.#add(this.#slots.length, 1);
  }

  remove(key: string): void {
    const slot = this.#slotOf.get(key);
    if (slot === undefined) return;
    this.#slotOf.delete(key);
    this.#vacate(slot);
  }

  /** Those of the keys that are in it, the one touched last first. */
  newestOf(keys: Iterable<string>): string[] {
    const slots: number[] = [];
    for (const key of keys) {
      const slot = this.#slotOf.get(key);
      if (slot !== undefined) slots.push(slot);
    }
    return Array.from(Int32Array.from(slots).sort().reverse(), (slot) => this.#slots[slot] as string);
  }

  /** The key at `position`, 0 being the one touched last. */
  at(position: number): string | undefined {
    let remaining = this.size - position;
    if (remaining < 1 || position < 0) return undefined;
    let index = 0;
    for (let step = this.#tree.length >> 1; step > 0; step >>= 1) {
      const next = index + step;
      if (next < this.#tree.length && (this.#tree[next] as number) < remaining) {
        index = next;
        remaining -= this.#tree[next] as number;
      }
    }
    return this.#slots[index];
  }

  #vacate(slot: number): void {
    this.#slots[slot] = undefined;
    this.#add(slot + 1, -1);
  }

  #add(index: number, by: number): void {
    for (let i = index; i < this.#tree.length; i += i & -i) this.#tree[i] = (this.#tree[i] as number) + by;
  }

  /** Moves the live keys together and gives the tree at least as many free slots again. */
  #sweep(): void {
    const live = this.#slots.filter((key) => key !== undefined);
    let capacity = 1024;
    while (capacity < live.length * 2 + 2) capacity *= 2;
    this.#tree = new Int32Array(capacity);
    this.#slots = live;
    live.forEach((key, slot) => {
      this.#slotOf.set(key, slot);
      this.#add(slot + 1, 1);
    });
  }
}
