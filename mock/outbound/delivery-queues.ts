import type { Delivery } from './delivery.ts';

/** In all lines together so many may wait: a receiver that hangs must not fill the memory. */
export const MOST_WAITING = 10_000;

interface Line {
  readonly waiting: Delivery[];
  readonly underWay: Set<Delivery>;
}

/** What waits to be delivered, each in its line: in turn within it, while nobody waits for another line. */
export class Lines {
  /** By name. */
  readonly #lines = new Map<string, Line>();
  /** All that are in some line, or under way from it. */
  readonly #inLine = new Set<Delivery>();
  readonly #going = new Set<Promise<unknown>>();
  readonly #deliver: (delivery: Delivery) => Promise<void>;
  /** Who waits for the next one to leave its line. */
  readonly #waiters: (() => void)[] = [];
  #ended = false;

  /** `deliver` never rejects. */
  constructor(deliver: (delivery: Delivery) => Promise<void>) {
    this.#deliver = deliver;
  }

  /** Whether it is under way or waiting. */
  has(delivery: Delivery): boolean {
    return this.#inLine.has(delivery);
  }

  get isFull(): boolean {
    return this.#inLine.size >= MOST_WAITING;
  }

  /** Of a line, `abreast` are under way at the same time. */
  add(name: string, delivery: Delivery, abreast = 1): void {
    this.#inLine.add(delivery);
    const line = this.#lines.get(name) ?? { waiting: [], underWay: new Set() };
    this.#lines.set(name, line);
    line.waiting.push(delivery);
    if (line.underWay.size < abreast) void this.follow(this.#run(name, line));
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

  /** Resolves once none of these is under way or waiting any more, or `end` was called. */
  async left(deliveries: readonly Delivery[]): Promise<void> {
    for (const one of deliveries)
      while (!this.#ended && this.has(one)) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** From here on nobody waits for one to leave its line. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  underWay(): Set<Delivery> {
    return new Set(Array.from(this.#lines.values(), ({ underWay }) => [...underWay]).flat());
  }

  /** One line after the other. */
  waiting(): Delivery[] {
    return Array.from(this.#lines.values(), ({ waiting }) => waiting).flat();
  }

  async #run(name: string, line: Line): Promise<void> {
    for (let delivery = line.waiting.shift(); delivery; delivery = line.waiting.shift()) {
      line.underWay.add(delivery);
      await this.#deliver(delivery);
      line.underWay.delete(delivery);
      this.#inLine.delete(delivery);
      this.#wake();
    }
    if (line.underWay.size === 0) this.#lines.delete(name);
  }

  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}
