import { expect, test } from 'giftcard-sandbox/playwright';

// Each test has its own account. Give your own client account.url and account.apiKey.
test('a retry of an order creates no second card', async ({ account, request }) => {
  const headers = { 'x-api-key': account.apiKey };
  const data = { balance: 25, code: 'ORDER-1', uniqueId: 'order-1' };
  const create = () => request.post(`${account.url}/api/GiftCard/Create`, { headers, data });
  expect((await create()).status()).toBe(200);
  expect((await create()).status()).toBe(400);
  expect(await account.merchant.card('ORDER-1')).toMatchObject({ giftCard: { balance: 25 } });
});
