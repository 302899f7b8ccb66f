import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

const TOKEN = 'open sesame';
const mockOf = () => startMock({ host: '0.0.0.0', controlToken: TOKEN, listen: false });
const ask = async (mock: Awaited<ReturnType<typeof mockOf>>, path: string, cookie?: string, method = 'GET') =>
  mock.fetch(`/__mock${path}`, { method, redirect: 'manual', ...(cookie === undefined ? {} : { headers: { cookie } }) });

test('a browser that sends the token once in the URL may read the documents, and nothing else', async () => {
  await using mock = await mockOf();
  const first = await ask(mock, `/reference?token=${encodeURIComponent(TOKEN)}`);
  expect([first.status, first.headers.get('location')]).toEqual([303, '/__mock/reference']);
  const given = first.headers.get('set-cookie') ?? '';
  expect(given).toMatch(/^giftcard-sandbox-reader=[0-9a-f]{64}; Path=\/__mock\/; HttpOnly; SameSite=Strict$/);
  const cookie = `other=1; ${given.split(';')[0]}`;
  const documents = [
    '/reference',
    '/control-reference',
    '/openapi.json',
    '/openapi.yaml',
    '/control.json',
    '/redoc.standalone.js',
  ];
  for (const path of [...documents, '/openapi.json?account=main'])
    expect([path, (await ask(mock, path, cookie)).status]).toEqual([path, 200]);
  for (const path of ['/accounts', '/', '/snapshot', '/journal'])
    expect([path, (await ask(mock, path, cookie)).status]).toEqual([path, 401]);
  expect((await ask(mock, '/reset', cookie, 'POST')).status).toBe(401);
});

test('a wrong token and an invented cookie are refused', async () => {
  await using mock = await mockOf();
  const wrong = await ask(mock, '/reference?token=wrong');
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
  for (const cookie of [`giftcard-sandbox-reader=${TOKEN}`, 'giftcard-sandbox-reader='])
    expect((await ask(mock, '/reference', cookie)).status).toBe(401);
});

test('/__mock redirects to the list of operations', async () => {
  await using mock = await startMock();
  const answer = await fetch(`${mock.url}/__mock`);
  expect([answer.status, answer.url]).toEqual([200, `${mock.url}/__mock/`]);
});
