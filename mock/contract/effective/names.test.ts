import { expect, test } from 'vitest';
import { sandboxOf } from '../../testing/fixture.ts';

const { ask } = sandboxOf([{}], {
  overrides: [
    { rename: 'CreateGiftCardRequest.balance', to: 'amount' },
    { move: 'CreateGiftCardRequest.recipientName', to: 'recipient.name' },
    { rename: 'listGiftCards.pageSize', to: 'size' },
    { rename: 'listGiftCards.pageNumber', to: 'page' },
  ],
});
const create = (body: object) => ask('POST', '/api/GiftCard/Create', body);

test('a refusal calls what it is about as the wire does', () => {
  expect(create({ amount: 1.005 })).toMatchObject({
    status: 400,
    body: 'The request is not valid: amount has more decimals than USD.',
  });
  expect(create({ amount: 1, sendAsGift: true, buyerName: 'Ben' })).toMatchObject({
    status: 400,
    body: 'A gift card sent as a gift needs recipient.name.',
  });
  expect(create({ amount: 1, code: 'balance' }).status).toBe(200);
  expect(create({ amount: 1, code: 'balance' }).body).toBe('A gift card with the code balance already exists.');
});
