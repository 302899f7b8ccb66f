import { account, type StrangeAccount } from './account.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What one such service does otherwise than another; and what it does unless somebody says so. */
export const usual = {
  /** How many requests an account has in a minute. */
  perMinute: Number.POSITIVE_INFINITY,
  /** How a delivery is put at last. */
  says: (payload: Record<string, unknown>): Record<string, unknown> => payload,
  /** Who looks whether somebody is there, when a webhook is registered. */
  looks: { method: 'POST', body: '{}' } as RequestInit,
  currency: 'NOK',
  /** How long a delivery takes to leave, in milliseconds, and whether each waits for the one before it. */
  latency: 0,
  inTurn: false,
  /** Hours between the moments at which gifts are delivered. */
  giftsEvery: 0,
};
export type Ways = typeof usual;

/** What all accounts share: a clock, the numbers that are given out, the line of what is on its way. */
export class Service {
  readonly ways: Ways;
  /** By how much somebody has moved the clock by which it counts. */
  ahead = 0;
  serial = 7_000_000;
  /** A clock of its own that never shows the same moment twice. */
  ticks = Date.UTC(2031, 0, 1);
  line: Promise<unknown> = Promise.resolve();
  readonly first: StrangeAccount;
  readonly second: StrangeAccount;

  constructor(ways: Ways) {
    this.ways = ways;
    this.first = account(this, 0);
    this.second = account(this, 30);
  }

  tick(): number {
    this.ticks += 1_000;
    return this.ticks;
  }

  number(): number {
    this.serial += 13;
    return this.serial;
  }
}
