import { setTimeout } from 'node:timers/promises';
import type { Hooks, ServerAccount, ServerState } from './faults/hooks.ts';
import type { ReferenceOptions } from './options.ts';
import type { ServerCard, ServerWebhook } from './records.ts';

interface Queue {
  /** Deliveries that wait for a free worker. */
  readonly waiting: (() => Promise<void>)[];
  busyWorkers: number;
}

/** The options, the hooks, the clock, and the serial numbers of all accounts. */
export class ReferenceService implements ServerState {
  readonly options: ReferenceOptions;
  readonly hooks: Hooks;
  /** The service's clock is years ahead of the system clock. */
  now = Date.UTC(2031, 0, 1);
  /** Time by which requests moved the clock. */
  advanced = 0;
  readonly accounts: readonly [ServerAccount, ServerAccount];
  readonly #queues = new Map<unknown, Queue>();
  #serial = 7_000_000;
  #updates = 0;

  constructor(options: ReferenceOptions, hooks: Hooks) {
    this.options = options;
    this.hooks = hooks;
    const { currency, decimals } = options;
    this.accounts = [this.#account({ currency, decimals }, 0), this.#account({ currency: 'EUR', decimals: 2 }, 30)];
  }

  nextSerial(): number {
    this.#serial += 13;
    return this.#serial;
  }

  /** Makes the card the last updated card. */
  update(card: ServerCard): void {
    this.now += this.options.tick;
    this.#updates += 1;
    card.updates = this.#updates;
    card.updatedAt = this.now;
  }

  addDelivery(webhook: ServerWebhook, send: () => Promise<void>): void {
    const name = this.options.deliveries.queues === 'one' ? 'all' : webhook;
    const queue = this.#queues.get(name) ?? { waiting: [], busyWorkers: 0 };
    this.#queues.set(name, queue);
    queue.waiting.push(send);
    void this.#startWorker(queue);
  }

  async #startWorker(queue: Queue): Promise<void> {
    const { workers, latency, jitter, isNewestFirst } = this.options.deliveries;
    if (queue.busyWorkers >= workers) return;
    const send = isNewestFirst ? queue.waiting.pop() : queue.waiting.shift();
    if (!send) return;
    queue.busyWorkers += 1;
    const delay = latency + Math.random() * jitter;
    if (delay > 0) await setTimeout(delay);
    await send();
    queue.busyWorkers -= 1;
    void this.#startWorker(queue);
  }

  #account(money: Pick<ServerAccount, 'currency' | 'decimals'>, defaultExpiryDays: number): ServerAccount {
    const always = { limit: Number.POSITIVE_INFINITY, isActive: true, trigger: 'API event' } as const;
    return {
      ...money,
      service: this,
      cards: [],
      uniqueIds: new Map(),
      adjustmentIds: new Map(),
      webhooks: [],
      defaultExpiryDays,
      automations: [
        { ...always, id: 11, event: 'party', amount: 7, runs: new Set() },
        { ...always, id: 12, event: 'party', amount: 3, runs: new Set() },
        { ...always, id: 13, event: 'first visit', amount: 2, limit: 1, runs: new Set() },
        { ...always, id: 14, event: 'party', amount: 5, isActive: false, runs: new Set() },
        { ...always, id: 15, event: 'party', amount: 6, trigger: 'order', runs: new Set() },
      ],
      rate: { minute: 0, requests: 0 },
    };
  }
}
