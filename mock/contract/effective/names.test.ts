import { expect, test } from 'vitest';
import { listAdvice } from '../../control/journal.ts';
import { sandboxOf } from '../../testing/fixture.ts';

const { sandbox, account, send } = sandboxOf([{}], {
  overrides: [
    { rename: 'CreateGiftCardRequest.balance', to: 'amount' },
    { move: 'CreateGiftCardRequest.recipientName', to: 'recipient.name' },
    { rename: 'listGiftCards.pageSize', to: 'size' },
    { rename: 'listGiftCards.pageNumber', to: 'page' },
    { rename: 'listGiftCards.since', to: 'after' },
  ],
});
const create = (body: object) => send('POST', '/api/GiftCard/Create', body);

test('a refusal names fields as the variant does', () => {
  expect(create({ amount: 1.005 })).toMatchObject({
    status: 400,
    body: 'The request is not valid: amount has more decimals than USD has.',
  });
  expect(create({ amount: 1, sendAsGift: true, buyerName: 'Ben' })).toMatchObject({
    status: 400,
    body: 'A gift card sent as a gift needs recipient.name.',
  });
  expect(create({ amount: 1, code: 'balance' }).status).toBe(200);
  expect(create({ amount: 1, code: 'balance' }).body).toBe('A gift card with the code balance already exists.');
});

test('advice reads parameters by their names in the variant, and names fields as the variant does', () => {
  create({ amount: 0.1 + 0.2 });
  for (const page of [1, 2]) send('GET', `/api/GiftCard/List?size=50&page=${page}`);
  send('GET', '/api/GiftCard/List?after=2026-01-01T00:00:00');
  const advice = listAdvice({ sandbox, account });
  const seen = Object.fromEntries(advice.map((each) => [each.name, each.seen]));
  expect(seen).toMatchObject({
    'money-binary-fraction': 'amount is 0.30000000000000004.',
    'list-pages-from-one': expect.stringContaining('not page 0'),
    'date-without-zone': expect.stringContaining('after is 2026-01-01T00:00:00'),
  });
});
