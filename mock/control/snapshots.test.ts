import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

test('a snapshot goes out of one mock and into another as JSON, also a large one', async () => {
  await using one = await startMock({
    seed: 1,
    world: { accounts: [{ keys: [{ key: 'mine' }], sampleCards: 2000 }] },
  });
  await using other = await startMock({ listen: false, seed: 2 });
  const taken = await one.fetch('/__mock/accounts/main/snapshot');
  expect(taken.headers.get('content-type')).toBe('application/vnd.giftcard-sandbox.snapshot+json; charset=utf-8');
  const text = await taken.text();
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const overSocket = await (await fetch(`${one.url}/__mock/accounts/main/snapshot`)).text();
  expect(JSON.parse(overSocket).records).toEqual(JSON.parse(text).records);
  const put = await other.fetch('/__mock/accounts/main/snapshot', { method: 'PUT', body: text });
  expect(put.status).toBe(200);
  const list = await other.fetch('/api/GiftCard/List', { headers: { 'x-api-key': 'mine' } });
  expect(await list.json()).toMatchObject({ totalCount: 2000 });
  const wrong = await other.fetch('/__mock/snapshot', { method: 'PUT', body: text });
  expect([wrong.status, await wrong.json()]).toEqual([409, { error: expect.stringMatching(/not a snapshot of all accounts/) }]);
});
