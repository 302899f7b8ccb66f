import { setTimeout } from 'node:timers/promises';
import type { ReferenceOptions } from './options.ts';
import type { AccountRecords, Card, Webhook } from './records.ts';

export interface Account extends AccountRecords {
  readonly service: Service;
}

/** A request before authentication. The query is part of the URL. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly key: string | null;
  readonly text: string;
}

/** A request of an account. */
export interface Call {
  readonly account: Account;
  /** The method and the route, such as `POST GiftCard/Create`. */
  readonly operation: string;
  readonly key: string | null;
  /** The last segment of the path. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export type Topic = 'updated' | 'gifted' | 'voided' | 'expired';

export interface Occasion {
  readonly account: Account;
  readonly card: Card;
  readonly topic: Topic;
}

export type Payload = Record<string, unknown>;

/** One delivery to one webhook, as it is sent. */
export interface Delivery extends Occasion {
  readonly webhook: Webhook;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Seams of the server. A fault replaces some of them. Each gets the lawful behavior as `next`. */
export interface Hooks {
  request?(received: Received, next: (received: Received) => Promise<Response>): Promise<Response>;
  /** Reports whether a request is beyond the rate limit. */
  isOverRate?(isOver: boolean, request: Received): boolean;
  /** Carries out a request. Returns the JSON of the answer, or a promise of this JSON. Throws a Refusal. */
  operation?(call: Call, next: (call: Call) => unknown): unknown;
  /** Queues the deliveries of an event. */
  event?(occasion: Occasion, next: (occasion: Occasion) => void): void;
  payload?(payload: Payload, occasion: Occasion): Payload;
  /** Sends one delivery. Resolves with true if the delivery succeeded. */
  delivery?(delivery: Delivery, next: (delivery: Delivery) => Promise<boolean>): Promise<boolean>;
}

interface Queue {
  /** Deliveries that wait for a free worker. */
  readonly waiting: (() => Promise<void>)[];
  busyWorkers: number;
}

/** The options, the hooks, the clock, and the serial numbers of all accounts. */
export class Service {
  readonly options: ReferenceOptions;
  readonly hooks: Hooks;
  /** The service's clock is years ahead of the system clock. */
  now = Date.UTC(2031, 0, 1);
  /** Time by which requests moved the clock. */
  advanced = 0;
  readonly accounts: readonly [Account, Account];
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
  update(card: Card): void {
    this.now += this.options.tick;
    this.#updates += 1;
    card.updates = this.#updates;
    card.updatedAt = this.now;
  }

  addDelivery(webhook: Webhook, send: () => Promise<void>): void {
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

  #account(money: Pick<Account, 'currency' | 'decimals'>, defaultExpiryDays: number): Account {
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
