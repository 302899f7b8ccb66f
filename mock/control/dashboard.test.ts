import { expect, test } from 'vitest';
import { sandboxOf } from '../fixture.ts';
import { channelsOf } from './account-views.ts';
import { cardOf } from './accounts.ts';
import { adjust } from './dashboard.ts';

const ada = { recipientEmailAddress: 'ada@example.com' };

test('channels.dashboard-changes-pushed: an adjustment in the dashboard reaches every channel', async () => {
  const { account, create } = sandboxOf([{ channels: [{ id: 'store' }, { id: 'till' }] }]);
  const card = create({ ...ada, balance: 20 });
  expect(adjust(account, cardOf(account, card.id), { amount: -7.5 })).toMatchObject({ balance: 12.5 });
  await account.effects.settled();
  expect(channelsOf(account).map(({ cards }) => cards[0]?.balance)).toEqual([12.5, 12.5]);
});

test('delivery.updated.on-balance-change: it is told to the holder and delivered, where the same through the API is not', async () => {
  const { account, ask, create, adjust: adjustThroughApi } = sandboxOf();
  ask('POST', '/api/Webhook/Create', { url: 'http://127.0.0.1:1/' });
  const card = create({ ...ada, balance: 20 });
  adjustThroughApi(card.code, 5);
  adjust(account, cardOf(account, card.code), { amount: 5, notes: 'Goodwill' });
  await account.effects.settled();
  expect(account.outbox.emails()).toMatchObject([{ kind: 'balance-change', to: 'ada@example.com' }]);
  expect(account.deliveries.all()).toMatchObject([{ topic: 'giftcard/updated', cause: { kind: 'control' } }]);
  expect(JSON.parse(account.deliveries.all()[0]?.body ?? '')).toMatchObject({ Balance: 30, TotalIssuedAmount: 30 });
  const history = ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${card.id}`).body.adjustments;
  expect(history).toMatchObject([{ amount: 5, notes: 'Goodwill' }, { amount: 5 }]);
});

test.each([
  ['an amount of nothing', 0, /^amount 0 /],
  ['too many decimals', 0.001, /^amount 0.001 .*USD/],
])('%s is refused with a sentence, and changes nothing', (_, amount, sentence) => {
  const { account, ask, create } = sandboxOf();
  const card = create();
  expect(() => adjust(account, cardOf(account, card.id), { amount })).toThrow(sentence);
  expect(ask('GET', `/api/GiftCard/GetById/${card.id}`).body).toEqual(card);
});
