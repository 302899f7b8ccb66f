import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

test('documents need no token; everything else does', async () => {
  await using mock = await startMock({ host: '0.0.0.0', controlToken: 'open sesame', listen: false });
  const statusOf = async (path: string) => [path, (await mock.fetch(`/__mock${path}`)).status];
  const documents = ['/', '/openapi.json', '/openapi.json?rules=true', '/openapi.yaml', '/control.json'];
  for (const path of documents) expect(await statusOf(path)).toEqual([path, 200]);
  for (const path of ['/accounts', '/snapshot', '/journal', '/openapi.json?account=main'])
    expect(await statusOf(path)).toEqual([path, 401]);
});

test('/__mock redirects to the list of operations', async () => {
  await using mock = await startMock();
  const response = await fetch(`${mock.url}/__mock`);
  expect([response.status, response.url]).toEqual([200, `${mock.url}/__mock/`]);
});
