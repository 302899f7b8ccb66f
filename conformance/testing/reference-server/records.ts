import type { ReferenceOptions } from './options.ts';

export const DAY = 86_400_000;

export interface Card {
  readonly id: string | number;
  readonly code: string;
  /** In the currency's unit, exact to a thousandth. */
  balance: number;
  /** The initial balance and all top-ups. */
  loaded: number;
  /** The balance before the card was voided. */
  held: number;
  status: 'Active' | 'Redeemed' | 'Expired' | 'Voided' | 'Scheduled';
  /** The fields of the request that created it. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly issuedAt: number;
  /** By the system clock, and as far ahead of it as the clock was moved. */
  readonly issuedAtRealTime: number;
  /** Undefined: it never expires. */
  readonly expiresAt: number | undefined;
  updatedAt: number;
  /** Grows with every update of any card. */
  updates: number;
  readonly entries: Entry[];
  giftDueAt: number | undefined;
  readonly isVoucher: boolean;
  isDeleted: boolean;
}

export interface Entry {
  readonly type: 'issue' | 'void' | 'expiry' | 'top-up' | 'redemption';
  readonly amount: number;
  readonly notes: string | undefined;
  readonly actionedAtUtc: string;
  readonly recordedAt: number;
}

export interface Webhook {
  readonly id: string | number;
  readonly url: string;
  readonly token: unknown;
  readonly description: unknown;
  failures: number;
}

export interface Automation {
  readonly id: number;
  readonly event: string;
  readonly amount: number;
  readonly limit: number;
  /** The keys of its runs. */
  readonly runs: Set<unknown>;
}

export interface Account {
  readonly service: Service;
  readonly cards: Card[];
  readonly uniqueIds: Map<string, { readonly card: Card; readonly at: number }>;
  /** Times by uniqueAdjustmentId. */
  readonly adjustmentIds: Map<string, number>;
  readonly webhooks: Webhook[];
  readonly automations: Automation[];
  /** Days; 0: cards do not expire by default. */
  readonly defaultExpiryDays: number;
  /** Requests in the current minute of the clock. */
  rate: { minute: number; requests: number };
}

/** What all accounts share: options, the clock, serial numbers, and updates that are due later. */
export class Service {
  readonly options: ReferenceOptions;
  /** Years ahead of the system clock. */
  now = Date.UTC(2031, 0, 1);
  /** How far the clock was moved by request. */
  advanced = 0;
  readonly accounts: readonly [Account, Account];
  #serial = 7_000_000;
  #updates = 0;
  #later: { readonly at: number; readonly card: Card }[] = [];

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

  /** Marks the card as the one updated last, now and once more when the channels have the change. */
  update(card: Card): void {
    this.now += this.options.tick;
    this.#touch(card);
    const { channelUpdateAfter } = this.options;
    if (channelUpdateAfter > 0) this.#later.push({ at: this.now + channelUpdateAfter, card });
  }

  runChannelUpdates(): void {
    const due = this.#later.filter(({ at }) => at <= this.now);
    this.#later = this.#later.filter(({ at }) => at > this.now);
    for (const { card } of due) this.#touch(card);
  }

  #touch(card: Card): void {
    this.#updates += 1;
    card.updates = this.#updates;
    card.updatedAt = this.now;
  }

  #account(defaultExpiryDays: number): Account {
    const automation = (id: number, event: string, amount: number, limit = Number.POSITIVE_INFINITY): Automation => ({
      ...{ id, event, amount, limit, runs: new Set() },
    });
    return {
      ...{ service: this, cards: [], uniqueIds: new Map(), adjustmentIds: new Map(), webhooks: [], defaultExpiryDays },
      automations: [automation(11, 'party', 7), automation(12, 'party', 3), automation(13, 'first visit', 2, 1)],
      rate: { minute: 0, requests: 0 },
    };
  }
}
