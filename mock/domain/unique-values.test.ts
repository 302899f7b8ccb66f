import { describe, expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';

const behaviors = {
  'idempotency.refused-request': 'used-up',
  'gift-card.create.zero-balance': 'refused',
  'adjustment.zero-amount': 'refused',
  'adjustment.future-actioned-at': 'refused',
} as const;

describe('idempotency.refused-request: refused requests use up their value', () => {
  test.each([
    ['a schema refuses', { balance: 'much' }],
    ['has too many decimals', { balance: 5.001 }],
    ['has no balance where it needs one', { balance: 0 }],
    ['lacks a name', { shouldSendNotification: true, sendAsGift: true }],
  ])('stays free when the creation %s', (_, wrong) => {
    const { send } = sandboxOf([{}], { behaviors });
    const create = (fields: object) =>
      send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'order-1', ...fields }).status;
    expect([create(wrong), create({})]).toEqual([400, 200]);
  });

  test('is used up by a creation with a code that is taken', () => {
    const { send } = sandboxOf([{ cards: [{ code: 'TAKEN' }] }], { behaviors });
    const create = (fields: object) =>
      send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'order-1', ...fields }).status;
    expect([create({ code: 'TAKEN' }), create({})]).toEqual([400, 400]);
  });

  test.each([
    ['free', 'is too exact', { adjustmentAmount: 1.001 }, 400],
    ['free', 'is nothing', { adjustmentAmount: 0 }, 400],
    ['free', 'is in the future', { actionedAtUtc: '2026-01-16T12:00:00Z' }, 400],
    ['used up', 'is of no card', { giftCardCode: 'UNKNOWN' }, 404],
    ['used up', 'is of a voucher', { giftCardCode: 'VOUCHER' }, 400],
  ])('is %s when the adjustment %s', (then, _, wrong, status) => {
    const cards = [
      { code: 'CARD', balance: 10 },
      { code: 'VOUCHER', kind: 'voucher' as const },
    ];
    const { adjust } = sandboxOf([{ cards }], { behaviors });
    const given = { uniqueAdjustmentId: 'sale-1' };
    expect(adjust('CARD', 1, { ...given, ...wrong }).status).toBe(status);
    expect(adjust('CARD', 1, given).status).toBe(then === 'free' ? 200 : 400);
  });
});
