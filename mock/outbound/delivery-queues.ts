import type { Delivery } from './delivery.ts';

/** Limit over all queues of an account, so that a receiver that hangs cannot fill the memory. */
export const MAX_WAITING = 10_000;

/** Deliveries in named queues: one at a time within a queue, and all queues in parallel. */
export class DeliveryQueues {
  readonly #send: (delivery: Delivery) => Promise<void>;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #waiting = new Set<Delivery>();
  readonly #underWay = new Set<Delivery>();
  readonly #tracked = new Set<Promise<unknown>>();

  /** `send` never rejects. */
  constructor(send: (delivery: Delivery) => Promise<void>) {
    this.#send = send;
  }

  get isFull(): boolean {
    return this.#waiting.size + this.#underWay.size >= MAX_WAITING;
  }

  add(queue: string, delivery: Delivery): void {
    this.#waiting.add(delivery);
    const tail = this.#tails.get(queue);
    const sent = tail ? tail.then(() => this.#next(delivery)) : this.#next(delivery);
    const next = sent.then(() => {
      if (this.#tails.get(queue) === next) this.#tails.delete(queue);
    });
    this.#tails.set(queue, next);
  }

  /** Makes `settled` wait for other work, too. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#tracked.delete(tracked));
    this.#tracked.add(tracked);
    return tracked;
  }

  /** Resolves once no delivery is waiting or under way. */
  async settled(): Promise<void> {
    while (this.#tails.size + this.#tracked.size > 0) await Promise.all([...this.#tails.values(), ...this.#tracked]);
  }

  /** In the order in which they were added. */
  waiting(): Delivery[] {
    return [...this.#waiting];
  }

  isUnderWay(delivery: Delivery): boolean {
    return this.#underWay.has(delivery);
  }

  async #next(delivery: Delivery): Promise<void> {
    this.#waiting.delete(delivery);
    this.#underWay.add(delivery);
    await this.#send(delivery);
    this.#underWay.delete(delivery);
  }
}
