import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Sandbox } from '../account/sandbox.ts';
import { silent } from '../server/log.ts';
import { NOON } from '../testing/fixture.ts';
import { worldOf } from '../world/read.ts';

/** Vitest controls the system clock. The account's clock follows the system clock, so time moves only when the test moves it. */
beforeEach(() => vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

function running(expiresAtUtc: string) {
  const world = worldOf({ accounts: [{ cards: [{ code: 'EXPIRING', initialValue: 5, expiresAtUtc }] }] });
  const sandbox = new Sandbox({ world, seed: 1, rateLimit: null, log: silent });
  const [account] = sandbox.accounts.values();
  if (!account) throw new Error('The world has an account.');
  return { sandbox, account, status: () => account.state.cardByCode('EXPIRING')?.status };
}

describe('the account runs due events without a request', () => {
  test('gift-card.expiry.when-noticed: at the time of the expiry', () => {
    const { status } = running('2026-01-15T12:00:10Z');
    vi.advanceTimersByTime(9_999);
    expect(status()).toBe('Active');
    vi.advanceTimersByTime(1);
    expect(status()).toBe('Expired');
  });

  test('an event after more than the longest timer of node', () => {
    const { status } = running('2026-06-15T12:00:00Z');
    vi.advanceTimersByTime(Date.UTC(2026, 5, 15, 12) - NOON - 1);
    expect(status()).toBe('Active');
    vi.advanceTimersByTime(1);
    expect(status()).toBe('Expired');
  });

  test('with a frozen clock, only the next request or settled() runs due events', async () => {
    const { account, status } = running('2026-01-15T12:00:10Z');
    account.clock.freeze();
    account.clock.setTimer();
    vi.advanceTimersByTime(60_000);
    expect(status()).toBe('Active');
    account.clock.freeze(Date.UTC(2026, 0, 15, 12, 0, 10));
    account.clock.setTimer();
    vi.advanceTimersByTime(60_000);
    expect(status()).toBe('Active');
    await account.effects.settled();
    expect(status()).toBe('Expired');
  });

  test('an event comes sooner if the clock is set forward', () => {
    const { account, status } = running('2026-01-20T00:00:00Z');
    account.clock.run(Date.UTC(2026, 0, 19, 23, 59, 59));
    account.clock.setTimer();
    vi.advanceTimersByTime(1000);
    expect(status()).toBe('Expired');
  });

  test('no event runs after the sandbox was closed', async () => {
    const { sandbox, account, status } = running('2026-01-15T12:00:10Z');
    await sandbox.close();
    vi.advanceTimersByTime(60_000);
    expect(status()).toBe('Active');
    expect(account.effects.deliveries.all()).toEqual([]);
  });
});
