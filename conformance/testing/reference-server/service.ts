import { setTimeout } from 'node:timers/promises';
import type { ReferenceOptions } from './options.ts';
import type { AccountRecords, Automation, Card } from './records.ts';

export interface Account extends AccountRecords {
  readonly service: Service;
}

/** The state that all accounts share: options, the clock, and serial numbers. */
export class Service {
  readonly options: ReferenceOptions;
  /** Years ahead of the system clock. */
  now = Date.UTC(2031, 0, 1);
  /** How far the clock was moved by request. */
  advanced = 0;
  readonly accounts: readonly [Account, Account];
  /** Deliveries wait until one of the workers is free. */
  readonly #deliveries: (() => Promise<void>)[] = [];
  #busyWorkers = 0;
  #serial = 7_000_000;
  #updates = 0;

  constructor(options: ReferenceOptions) {
    this.options = options;
    this.accounts = [this.#account(0), this.#account(30)];
  }

  has(fault: NonNullable<ReferenceOptions['fault']>): boolean {
    return this.options.fault === fault;
  }

  nextSerial(): number {
    this.#serial += 13;
    return this.#serial;
  }

  /** Marks the card as the one updated last. */
  update(card: Card): void {
    this.now += this.options.tick;
    this.#updates += 1;
    card.updates = this.#updates;
    card.updatedAt = this.now;
  }

  addDelivery(send: () => Promise<void>): void {
    this.#deliveries.push(send);
    void this.#startWorker();
  }

  async #startWorker(): Promise<void> {
    const { workers, order, latency, jitter } = this.options.deliveries;
    if (this.#busyWorkers >= workers) return;
    const send = order === 'newest first' ? this.#deliveries.pop() : this.#deliveries.shift();
    if (!send) return;
    this.#busyWorkers += 1;
    const delay = latency + Math.random() * jitter;
    if (delay > 0) await setTimeout(delay);
    await send();
    this.#busyWorkers -= 1;
    void this.#startWorker();
  }

  #account(defaultExpiryDays: number): Account {
    const automation = (id: number, event: string, amount: number, limit = Number.POSITIVE_INFINITY): Automation => ({
      id,
      event,
      amount,
      limit,
      runs: new Set(),
    });
    return {
      service: this,
      cards: [],
      uniqueIds: new Map(),
      adjustmentIds: new Map(),
      webhooks: [],
      defaultExpiryDays,
      automations: [automation(11, 'party', 7), automation(12, 'party', 3), automation(13, 'first visit', 2, 1)],
      rate: { minute: 0, requests: 0 },
    };
  }
}
