import { expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';

/** Returns the status of a card with a balance of 25 after these adjustments by code. */
function statusAfter(...amounts: number[]) {
  const { create, adjust, send } = sandboxOf();
  const { code } = create();
  for (const amount of amounts) expect(adjust(code, amount).status).toBe(200);
  return send('GET', `/api/GiftCard/GetByCode/${code}`).body.status;
}

test('a card from which something was taken stays Active', () => {
  expect(statusAfter(-24.99)).toBe('Active');
});

test('gift-card.status.at-zero: Redeemed', () => {
  expect(statusAfter(-25)).toBe('Redeemed');
  expect(statusAfter(-20, -5)).toBe('Redeemed');
});

test('gift-card.status.below-zero: Redeemed', () => {
  expect(statusAfter(-30)).toBe('Redeemed');
  expect(statusAfter(-30, 4)).toBe('Redeemed');
  expect(statusAfter(-30, 5)).toBe('Redeemed');
});

test('gift-card.status.after-top-up: Active again', () => {
  expect(statusAfter(-25, 0.01)).toBe('Active');
  expect(statusAfter(-30, 6)).toBe('Active');
});

test('gift-card.status.created-with-zero: Active until an adjustment', () => {
  const { create, adjust, send, at } = sandboxOf();
  const { code, status } = create({ balance: 0 });
  const now = () => send('GET', `/api/GiftCard/GetByCode/${code}`).body.status;
  expect(status).toBe('Active');
  at(NOON + 86_400_000);
  expect(now()).toBe('Active');
  adjust(code, -1);
  expect(now()).toBe('Redeemed');
});

test('adjustment.scheduled-card: a scheduled card stays Scheduled until its time, and is Redeemed then if its balance is zero', () => {
  const { adjust, send, at } = sandboxOf([
    {
      cards: [
        {
          code: 'WAITING',
          status: 'Scheduled',
          initialValue: 25,
          createdAtUtc: '2026-01-01T00:00:00Z',
          giftScheduledForUtc: '2090-01-01T00:00:00Z',
        },
      ],
    },
  ]);
  const status = () => send('GET', '/api/GiftCard/GetByCode/WAITING').body.status;
  expect(adjust('WAITING', -25).status).toBe(200);
  expect(status()).toBe('Scheduled');
  at(Date.UTC(2090, 0, 1));
  expect(status()).toBe('Redeemed');
});
