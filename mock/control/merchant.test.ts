import { describe, expect, test } from 'vitest';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import type { FilledCard } from '../world/description.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { getCard, getTimeline, listAdjustments } from './cards.ts';
import { listChannels } from './channels.ts';
import * as merchant from './merchant.ts';
import { controlledCard } from './resources.ts';

const ada = { recipientEmailAddress: 'ada@example.com' };
const rita = { recipientName: 'Rita', recipientEmailAddress: 'rita@example.com', buyerName: 'Ben' };

/** An account with an unreachable receiver, two channels and a card. Effects are sent before a test reads them. */
function shop(card: Partial<FilledCard> = {}, options: AccountDescription = {}) {
  const cards = [{ code: 'CARD-1', initialValue: 20, ...ada, ...card }];
  const webhooks = [{ url: 'http://127.0.0.1:1/' }];
  const fixture = sandboxOf([{ channels: [{ id: 'store' }, { id: 'till' }], webhooks, cards, ...options }]);
  const { account, send } = fixture;
  return {
    ...fixture,
    get card() {
      return controlledCard(account, 'CARD-1');
    },
    shown: () => send('GET', `/api/GiftCard/GetById/${controlledCard(account, 'CARD-1').id}`).body,
    timeline: () => getTimeline({ account, card: controlledCard(account, 'CARD-1') }).map(({ text }) => text),
    async effects() {
      await account.effects.settled();
      return {
        emails: account.effects.outbox.all().map(({ kind, to }) => [kind, to]),
        topics: account.effects.deliveries.all().map(({ topic }) => topic),
        balances: listChannels({ account }).map(({ cards: [there] }) => there?.balance),
      };
    },
  };
}

describe('an adjustment by the merchant', () => {
  test('channels.merchant-changes-pushed, delivery.updated.on-balance-change', async () => {
    const { account, card, effects, timeline } = shop();
    expect(merchant.adjustCard({ account, card, body: { amount: -7.5 } })).toMatchObject({ balance: 12.5 });
    expect(await effects()).toEqual({
      emails: [['balance-change', 'ada@example.com']],
      topics: ['giftcard/updated'],
      balances: [12.5, 12.5],
    });
    expect(account.effects.deliveries.all()[0]?.cause).toMatchObject({ kind: 'control', what: 'adjustCard' });
    expect(timeline()).toEqual(['Created', 'Adjusted by -7.5 USD: the merchant']);
  });

  test('while the same adjustment through the API causes no email and no delivery', async () => {
    const { account, send, adjust, card, effects } = shop();
    adjust('CARD-1', 5);
    merchant.adjustCard({ account, card, body: { amount: 5, notes: 'Goodwill' } });
    expect(await effects()).toMatchObject({ emails: [['balance-change', 'ada@example.com']], topics: ['giftcard/updated'] });
    expect(JSON.parse(account.effects.deliveries.all()[0]?.body ?? '')).toMatchObject({ Balance: 30, TotalIssuedAmount: 30 });
    const history = send('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/CARD-1').body.adjustments;
    expect(history).toMatchObject([{ amount: 5, notes: 'Goodwill' }, { amount: 5 }]);
    expect(listAdjustments({ account, card })).toMatchObject([
      { amount: 5, madeThrough: 'api', notes: null, createdAtUtc: expect.stringMatching(/Z$/) },
      { amount: 5, madeThrough: 'merchant', notes: 'Goodwill', uniqueAdjustmentId: null },
    ]);
  });
});

test('a void by the merchant zeroes the balance everywhere and is delivered as giftcard/voided alone', async () => {
  const { account, card, effects, timeline } = shop();
  expect(merchant.voidCard({ account, card })).toMatchObject({ status: 'Voided', balance: 0 });
  expect(await effects()).toEqual({ emails: [], topics: ['giftcard/voided'], balances: [0, 0] });
  expect(timeline()).toEqual(['Created', 'Voided by the merchant']);
});

test('adjustment.history.type-values: a void comes from where it was made', () => {
  const behaviors = { 'gift-card.void.in-history': 'yes', 'adjustment.history.type-values': 'by-source' } as const;
  const { account, send } = sandboxOf([{ cards: ['A', 'B'].map((code) => ({ code, initialValue: 20 })) }], { behaviors });
  merchant.voidCard({ account, card: controlledCard(account, 'A') });
  send('DELETE', '/api/GiftCard/VoidByCode/B');
  const typeOf = (code: string) =>
    send('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`).body.adjustments[0].type;
  expect([typeOf('A'), typeOf('B')]).toEqual(['Dashboard', 'Api']);
});

test('gift-card.deleted-by: a deleted card keeps its state, and is found by its id and includeAll alone', async () => {
  const { account, send, card, effects, shown } = shop();
  expect(merchant.deleteCard({ account, card })).toMatchObject({ status: 'Active', balance: 20 });
  expect(send('GET', '/api/GiftCard/GetByCode/CARD-1').status).toBe(404);
  expect(shown()).toMatchObject({ status: 'Active', balance: 20 });
  expect(send('GET', '/api/GiftCard/List').body.totalCount).toBe(0);
  expect(send('GET', '/api/GiftCard/List?includeAll=true').body.totalCount).toBe(1);
  expect(getCard({ account, card: controlledCard(account, 'CARD-1') }).deletedAtUtc).toBe('2026-01-15T12:00:00.000Z');
  expect(await effects()).toEqual({ emails: [], topics: [], balances: [20, 20] });
});

test('delivery.reminder.on-reminder: one is sent by hand, and the one that is due still comes', async () => {
  const { account, at, card, effects } = shop({}, { reminderAfterDays: 30 });
  merchant.remindOfCard({ account, card });
  expect(await effects()).toMatchObject({ emails: [['reminder', 'ada@example.com']], topics: ['giftcard/reminder'] });
  at(Date.now() + 31 * 86_400_000);
  expect((await effects()).topics).toEqual(['giftcard/reminder', 'giftcard/reminder']);
});

test('a reminder without a recipient is suppressed', async () => {
  const { account, card, effects } = shop({ recipientEmailAddress: null });
  merchant.remindOfCard({ account, card });
  expect(await effects()).toMatchObject({ emails: [], topics: [] });
  expect(account.effects.suppressed.all().map(({ what }) => what)).toEqual(['email', 'giftcard/reminder']);
});

describe('a card sent as a gift', () => {
  test('delivery.gifted.on-gift: at once', async () => {
    const { account, card, effects, shown } = shop();
    merchant.giveCard({ account, card, body: { ...rita, giftMessage: 'Enjoy' } });
    expect(shown()).toMatchObject({ ...rita, status: 'Active', sendAsGift: true, giftMessage: 'Enjoy' });
    expect(await effects()).toMatchObject({ emails: [['gifted', 'rita@example.com']], topics: ['giftcard/gifted'] });
    expect(account.effects.outbox.all()[0]?.text).toContain('Enjoy');
  });

  test('gift-card.status.future-gift: at a later time, Scheduled until then', async () => {
    const { account, at, card, effects, shown } = shop();
    merchant.giveCard({ account, card, body: { ...rita, giftScheduledForUtc: '2026-02-01T00:00:00Z' } });
    expect(shown().status).toBe('Scheduled');
    expect((await effects()).topics).toEqual([]);
    at(Date.UTC(2026, 1, 1));
    expect(shown().status).toBe('Active');
    expect(await effects()).toMatchObject({ emails: [['gifted', 'rita@example.com']], topics: ['giftcard/gifted'] });
  });

  test('at another time than an earlier action set: once, at the time that was set last', async () => {
    const { account, at, card, effects } = shop();
    merchant.giveCard({ account, card, body: { ...rita, giftScheduledForUtc: '2026-02-01T00:00:00Z' } });
    merchant.giveCard({ account, card, body: { ...rita, giftScheduledForUtc: '2026-03-01T00:00:00Z' } });
    at(Date.UTC(2026, 1, 2));
    expect((await effects()).topics).toEqual([]);
    at(Date.UTC(2026, 2, 1));
    expect((await effects()).topics).toEqual(['giftcard/gifted']);
  });
});

describe('an order', () => {
  test('takes part of the balance; a push, an email and a delivery follow', async () => {
    const { account, send, card, effects, timeline } = shop();
    expect(merchant.payWithCard({ account, card, body: { amount: 7.5, order: '1001' } })).toMatchObject({
      balance: 12.5,
      status: 'Active',
    });
    expect(await effects()).toEqual({
      emails: [['balance-change', 'ada@example.com']],
      topics: ['giftcard/updated'],
      balances: [12.5, 12.5],
    });
    expect(timeline()).toContain('Adjusted by -7.5 USD: the order 1001');
    const history = send('GET', '/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/CARD-1').body.adjustments;
    expect(history).toMatchObject([{ amount: -7.5, notes: 'Order 1001' }]);
  });

  test('takes the whole balance and refunds it, which is not a top-up', async () => {
    const { account, card, effects } = shop();
    expect(merchant.payWithCard({ account, card, body: { amount: 20 } })).toMatchObject({ balance: 0, status: 'Redeemed' });
    expect(merchant.refundToCard({ account, card, body: { amount: 20, notes: 'Returned' } })).toMatchObject({
      balance: 20,
      status: 'Active',
    });
    expect((await effects()).topics).toEqual(['giftcard/updated', 'giftcard/updated']);
    expect(JSON.parse(account.effects.deliveries.all()[1]?.body ?? '')).toMatchObject({ Balance: 20, TotalIssuedAmount: 20 });
  });

  test('redeems a voucher in full', async () => {
    const { account, card, effects } = shop({ kind: 'voucher' });
    expect(merchant.redeemVoucher({ account, card, body: undefined })).toMatchObject({ balance: 0, status: 'Redeemed' });
    expect(await effects()).toMatchObject({ topics: ['giftcard/updated'], balances: [0, 0] });
  });
});

type Act = (given: Parameters<typeof merchant.voidCard>[0]) => unknown;
const voided = { status: 'Voided' } as const;
const later = { ...rita, giftScheduledForUtc: new Date(NOON - 1).toISOString() };

test.each<[string, Act, Partial<FilledCard>, RegExp]>([
  ['an adjustment of nothing', (given) => merchant.adjustCard({ ...given, body: { amount: 0 } }), {}, /^amount .* 0/],
  [
    'an adjustment with too many decimals',
    (given) => merchant.adjustCard({ ...given, body: { amount: 0.001 } }),
    {},
    /^amount 0.001 .*USD/,
  ],
  [
    'an adjustment of a voucher',
    (given) => merchant.adjustCard({ ...given, body: { amount: 1 } }),
    { kind: 'voucher' },
    /voucher/,
  ],
  [
    'an adjustment of a deleted card',
    (given) => merchant.adjustCard({ ...given, body: { amount: 1 } }),
    { deleted: true },
    /was deleted/,
  ],
  ['a second void', merchant.voidCard, voided, /^The card CARD-1 is already voided\.$/],
  ['a void of a deleted card', merchant.voidCard, { deleted: true }, /^The card CARD-1 was deleted\.$/],
  ['a second deletion', merchant.deleteCard, { deleted: true }, /^The card CARD-1 was deleted\.$/],
  ['a reminder of a voided card', merchant.remindOfCard, voided, /^The card CARD-1 is Voided, /],
  ['a reminder of nothing', merchant.remindOfCard, { initialValue: 0 }, /0 USD/],
  ['a gift of an expired card', (given) => merchant.giveCard({ ...given, body: rita }), { status: 'Expired' }, /is Expired/],
  ['a gift of a store credit', (given) => merchant.giveCard({ ...given, body: rita }), { kind: 'store-credit' }, /store credit/],
  ['a gift in the past', (given) => merchant.giveCard({ ...given, body: later }), {}, /^giftScheduledForUtc has passed/],
  ['a payment of more than there is', (given) => merchant.payWithCard({ ...given, body: { amount: 20.01 } }), {}, /\$20\.00/],
  [
    'a payment with a voucher',
    (given) => merchant.payWithCard({ ...given, body: { amount: 1 } }),
    { kind: 'voucher' },
    /redeemed in full/,
  ],
  ['a payment with a voided card', (given) => merchant.payWithCard({ ...given, body: { amount: 1 } }), voided, /is Voided/],
  ['a refund of what was not taken', (given) => merchant.refundToCard({ ...given, body: { amount: 1 } }), {}, /^Only \$0\.00/],
  [
    'a refund of a part of a voucher',
    (given) => merchant.refundToCard({ ...given, body: { amount: 1 } }),
    { kind: 'voucher', balance: 0 },
    /refunded in full: \$20/,
  ],
  ['a refund to a voided card', (given) => merchant.refundToCard({ ...given, body: { amount: 1 } }), voided, /is Voided/],
  ['a redemption of no voucher', (given) => merchant.redeemVoucher({ ...given, body: undefined }), {}, /not a voucher/],
  [
    'a second redemption',
    (given) => merchant.redeemVoucher({ ...given, body: undefined }),
    { kind: 'voucher', balance: 0 },
    /is Redeemed/,
  ],
])('%s is refused with a sentence, and changes nothing', async (_, act, card, sentence) => {
  const { account, sandbox, shown, timeline, effects, card: before } = shop(card);
  const lines = timeline();
  expect(() => act({ account, card: before })).toThrow(sentence);
  expect(controlledCard(account, 'CARD-1')).toBe(before);
  expect(timeline()).toEqual(lines);
  expect(await effects()).toMatchObject({ emails: [], topics: [] });
  expect(shown()).toBeDefined();
  expect(sandbox.defects).toEqual([]);
});
