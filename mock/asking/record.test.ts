import { expect, test } from 'vitest';
import { sandboxOf } from '../fixture.ts';

test('http.order.request-or-record: the card is looked for under the name that the account has for it', () => {
  const { ask, create } = sandboxOf([{}], {
    readings: { 'http.order.request-or-record': 'record', 'adjustment.by-id.field': 'id' },
  });
  const { id } = create();
  const adjust = (body: unknown) => ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', body).status;
  expect([
    adjust({ id: 'none' }),
    adjust({ id }),
    adjust({}),
    adjust('{'),
    adjust('[]'),
    adjust('null'),
    adjust({ id: 5 }),
  ]).toEqual([404, 400, 400, 400, 400, 400, 400]);
});
