const { testAccount } = require('giftcard-sandbox/jest');

test('a retry of an order creates no second card', async () => {
  // Give your own client account.url and account.apiKey, in place of account.fetch.
  const account = await testAccount({ name: 'Shop' });
  const card = { balance: 25, code: 'ORDER-1', uniqueId: 'order-1' };
  const create = () => account.fetch('/api/GiftCard/Create', { method: 'POST', body: JSON.stringify(card) });
  expect((await create()).status).toBe(200);
  expect((await create()).status).toBe(400);
  expect(await account.merchant.card('ORDER-1')).toMatchObject({ giftCard: { balance: 25 } });
});
