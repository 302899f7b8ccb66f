import { expect, test } from 'vitest';
import { startMock } from '../index.ts';
import { createControlClient } from './client.ts';

const main = { params: { path: { account: 'main' } } };

test('has types for paths, bodies and responses', async () => {
  await using mock = await startMock();
  const client = createControlClient({ url: mock.url });
  const { data: account } = await client.POST('/accounts', { body: { id: 'mine', cards: [{ code: 'MINE-1', balance: 20 }] } });
  expect(account?.apiKey).toBe('sandbox-key-mine-not-a-real-key');
  const path = { account: 'mine', card: 'MINE-1' };
  const { data: card } = await client.POST('/accounts/{account}/cards/{card}/payments', {
    params: { path },
    body: { amount: 5 },
  });
  expect(card?.balance).toBe(15);
});

test('takes a URL alone', async () => {
  await using mock = await startMock();
  expect((await createControlClient(mock.url).GET('/health')).data).toMatchObject({ status: 'ok' });
});

test('returns a refusal as a sentence', async () => {
  await using mock = await startMock({ listen: false });
  const client = createControlClient({ url: mock.url, fetch: mock.fetch });
  // @ts-expect-error The types have no plan with this name.
  const { data, error, response } = await client.PATCH('/accounts/{account}/settings', { ...main, body: { plan: 'Gold' } });
  expect([data, response.status, error?.error]).toEqual([
    undefined,
    400,
    expect.stringMatching(/plan .*Basic, Pro, Plus, Enterprise.*"Gold"/),
  ]);
});

test('sends the token, and ignores the path of its URL', async () => {
  await using mock = await startMock({ host: '0.0.0.0', controlToken: 'token-1' });
  const url = `${mock.url.replace('0.0.0.0', '127.0.0.1')}/__mock/`;
  expect((await createControlClient({ url }).GET('/accounts')).response.status).toBe(401);
  const { data } = await createControlClient({ url, token: 'token-1' }).GET('/accounts');
  expect(data).toContainEqual(expect.objectContaining({ id: 'main' }));
});

test('a URL that is none throws at once', () => {
  expect(() => createControlClient({ url: '127.0.0.1' })).toThrow(/URL/);
});
