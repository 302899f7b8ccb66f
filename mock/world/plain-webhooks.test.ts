import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

const world = { accounts: [{ id: 'shop', webhooks: [{ url: 'http://receiver:9000/hooks' }] }] };
const sentence = /https, got http:\/\/receiver:9000\/hooks\..*--allow-http-webhooks receiver,.*allowHttpWebhooks.*\.$/;

test('webhook.create.other-schemes: a world whose webhooks no request could register is refused with a sentence', async () => {
  await expect(startMock({ listen: false, world })).rejects.toMatchObject({
    name: 'WorldFileError',
    message: expect.stringMatching(sentence),
  });
});

test('a world with a host that --allow-http-webhooks names is accepted', async () => {
  await using mock = await startMock({ listen: false, world, allowHttpWebhooks: ['Receiver'] });
  expect(mock.accounts.map(({ id }) => id)).toEqual(['shop']);
});

test('an account with one is not added, and the others are as before', async () => {
  await using mock = await startMock({ listen: false, world: { accounts: [{ id: 'main' }] } });
  const response = await mock.fetch('/__mock/accounts', { method: 'POST', body: JSON.stringify(world.accounts[0]) });
  expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(sentence) }]);
  expect(mock.accounts.map(({ id }) => id)).toEqual(['main']);
});
