import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startMock } from 'giftcard-sandbox';

let sandbox;
before(async () => {
  sandbox = await startMock();
});
after(() => sandbox.close());

test('a retry of an order creates no second card', async () => {
  // Give your own client account.url and account.apiKey, in place of account.fetch.
  const account = await sandbox.createAccount({ name: 'Shop' });
  const card = { balance: 25, code: 'ORDER-1', uniqueId: 'order-1' };
  const create = () => account.fetch('/api/GiftCard/Create', { method: 'POST', body: JSON.stringify(card) });
  assert.equal((await create()).status, 200);
  assert.equal((await create()).status, 400);
  assert.equal((await account.merchant.card('ORDER-1')).giftCard.balance, 25);
});
