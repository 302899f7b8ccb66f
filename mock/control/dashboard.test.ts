import { expect, test } from 'vitest';
import { sandboxOf } from '../fixture.ts';
import { channelsOf } from './account-views.ts';
import { adjustInDashboard } from './dashboard.ts';

const ada = { recipientEmailAddress: 'ada@example.com' };

test('channels.dashboard-changes-pushed: an adjustment in the dashboard reaches every channel', async () => {
  const { account, create } = sandboxOf([{ channels: [{ id: 'store' }, { id: 'till' }] }]);
  const card = create({ ...ada, balance: 20 });
  expect(adjustInDashboard(account, { giftCardId: card.id, adjustmentAmount: -7.5 })).toMatchObject({ balance: 12.5 });
  await account.effects.settled();
  expect(channelsOf(account).map(({ cards }) => cards[0]?.balance)).toEqual([12.5, 12.5]);
});

test('delivery.updated.on-balance-change: it is told to the holder and delivered, where the same through the API is not', async () => {
  const { account, ask, create, adjust } = sandboxOf();
  ask('POST', '/api/Webhook/Create', { url: 'http://127.0.0.1:1/' });
  const card = create({ ...ada, balance: 20 });
  adjust(card.code, 5);
  adjustInDashboard(account, { giftCardId: card.id, adjustmentAmount: 5, notes: 'Goodwill' });
  await account.effects.settled();
  expect(account.outbox.emails()).toMatchObject([{ kind: 'balance-change', to: 'ada@example.com' }]);
  expect(account.deliveries.all()).toMatchObject([{ topic: 'giftcard/updated', cause: { kind: 'control' } }]);
  expect(JSON.parse(account.deliveries.all()[0]?.body ?? '')).toMatchObject({ Balance: 30, TotalIssuedAmount: 30 });
  const history = ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${card.id}`).body.adjustments;
  expect(history).toMatchObject([{ amount: 5, notes: 'Goodwill' }, { amount: 5 }]);
});

test.each([
  ['an unknown card', { giftCardId: 'nobody', adjustmentAmount: 5 }, /nobody/],
  ['no card', { adjustmentAmount: 5 }, /giftCardId/],
  ['no amount', { giftCardId: 'CARD' }, /adjustmentAmount/],
  ['an amount of nothing', { giftCardId: 'CARD', adjustmentAmount: 0 }, /adjustmentAmount/],
  ['too many decimals', { giftCardId: 'CARD', adjustmentAmount: 0.001 }, /USD/],
  ['notes that are no text', { giftCardId: 'CARD', adjustmentAmount: 1, notes: 1 }, /notes/],
  ['a misspelt property', { giftCardId: 'CARD', adjustmentAmount: 1, note: 'x' }, /"note"/],
])('%s is refused with a sentence, and changes nothing', (_, body, sentence) => {
  const { account, ask, create } = sandboxOf();
  const card = create();
  const named = 'giftCardId' in body && body.giftCardId === 'CARD' ? { ...body, giftCardId: card.id } : body;
  expect(() => adjustInDashboard(account, named)).toThrow(sentence);
  expect(ask('GET', `/api/GiftCard/GetById/${card.id}`).body).toEqual(card);
});
