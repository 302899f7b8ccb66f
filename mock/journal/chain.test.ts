import { expect, test } from 'vitest';
import { getChain } from '../control/journal.ts';
import type { CardRecord } from '../state/records.ts';
import { sandboxOf } from '../testing/fixture.ts';

test('the chain of a card: requests, changes, effects and suppressed effects, in order', async () => {
  const shop = { id: 'shop', name: 'Web shop', acceptsCodes: 'ADA-.*' };
  const fixture = sandboxOf([{ channels: [shop], webhooks: [{ url: 'http://127.0.0.1:9/' }] }]);
  const { account, send, create, adjust, at, sandbox } = fixture;
  const { id } = create({
    code: 'ADA-1',
    balance: 20,
    shouldSendNotification: true,
    recipientEmailAddress: 'ada@example.com',
    expiresAtUtc: '2026-02-01T00:00:00Z',
  });
  await sandbox.settled();
  create({ code: 'ADA-10' });
  adjust('ADA-1', -5, { uniqueAdjustmentId: 'a-1' });
  adjust('ADA-1', -5, { uniqueAdjustmentId: 'a-1' });
  send('GET', '/api/GiftCard/GetByCode/ADA-1');
  at(Date.UTC(2026, 1, 2));
  await sandbox.settled();

  const { causes, ...rest } = getChain({ sandbox, account, card: account.state.card(id) as CardRecord });
  expect(rest).toEqual({ giftCardId: id, code: 'ADA-1', dropped: 0 });
  expect(
    causes.map(({ number, kind, what, request, status, refusal, changes, effects }) => ({
      cause: [number, kind, what, request, status, refusal?.rule],
      changes: changes.map((change) => `${change.table}: ${change.what}`),
      effects: effects.map((effect) => `${effect.what}, ${effect.outcome}${effect.rule === null ? '' : ` (${effect.rule})`}`),
    })),
  ).toEqual([
    {
      cause: [1, 'request', 'createGiftCard', 'POST /api/GiftCard/Create', 200, undefined],
      changes: ['cards: added, balance 20 USD, Active'],
      effects: [
        'to Web shop: 20 USD, synced',
        'gift-card to ada@example.com, sent',
        'giftcard/updated to http://127.0.0.1:9/, failed: ECONNREFUSED (1 of 6 lifetime failures)',
      ],
    },
    {
      cause: [
        3,
        'request',
        'addAdjustmentByGiftCardCode',
        'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
        200,
        undefined,
      ],
      changes: ['cards: changed, balance 20 → 15 USD', 'adjustments: added, -5 USD'],
      effects: [
        'to Web shop: 15 USD, synced',
        'email, not sent: the adjustment came through the API (adjustment.sends-no-email)',
        'giftcard/updated, not sent: the adjustment came through the API (adjustment.delivers-no-update)',
      ],
    },
    {
      cause: [
        4,
        'request',
        'addAdjustmentByGiftCardCode',
        'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
        400,
        'idempotency.adjustment.refuses-repeat',
      ],
      changes: [],
      effects: [],
    },
    {
      cause: [6, 'clock', 'expiry', null, null, undefined],
      changes: ['cards: changed, Active → Expired'],
      effects: [
        'to Web shop: 15 USD, synced',
        'giftcard/expired to http://127.0.0.1:9/, failed: ECONNREFUSED (2 of 6 lifetime failures)',
      ],
    },
  ]);
});
