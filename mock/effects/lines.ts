import type { Delivery } from './delivery.ts';

/** What waits to be delivered, each in its line: one after the other within it, while nobody waits for another line. */
export class Lines {
  /** By name: the one that is under way, and behind it those that wait. */
  readonly #lines = new Map<string, Delivery[]>();
  /** All that are in some line. */
  readonly #inLine = new Set<Delivery>();
  readonly #going = new Set<Promise<unknown>>();
  readonly #deliver: (delivery: Delivery) => Promise<void>;
  readonly #left: () => void;

  /** `deliver` never rejects; `left` is told whenever one has left its line. */
  constructor(deliver: (delivery: Delivery) => Promise<void>, left: () => void) {
    this.#deliver = deliver;
    this.#left = left;
  }

  /** Whether it is under way or waiting. */
  has(delivery: Delivery): boolean {
    return this.#inLine.has(delivery);
  }

  add(name: string, delivery: Delivery): void {
    this.#inLine.add(delivery);
    const line = this.#lines.get(name);
    if (line) line.push(delivery);
    else void this.follow(this.#run(name, [delivery]));
  }

  /** Counts something else as under way until it has come to its end. */
  follow<T>(going: Promise<T>): Promise<T> {
    const followed = going.finally(() => this.#going.delete(followed));
    this.#going.add(followed);
    return followed;
  }

  /** Resolves once nothing is under way or waiting. */
  async settled(): Promise<void> {
    while (this.#going.size > 0) await Promise.all(this.#going);
  }

  underWay(): Set<Delivery> {
    return new Set(Array.from(this.#lines.values(), ([first]) => first as Delivery));
  }

  /** One line after the other. */
  waiting(): Delivery[] {
    return Array.from(this.#lines.values(), ([, ...behind]) => behind).flat();
  }

  async #run(name: string, line: Delivery[]): Promise<void> {
    this.#lines.set(name, line);
    for (let delivery = line[0]; delivery; delivery = line[0]) {
      await this.#deliver(delivery);
      line.shift();
      this.#inLine.delete(delivery);
      this.#left();
    }
    this.#lines.delete(name);
  }
}
