import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from './index.ts';
import { WorldFileError } from './world/description.ts';

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The same request through a socket and without one. */
const doors: [name: string, options: MockOptions, send: (mock: Mock) => Send][] = [
  ['with a socket', {}, (mock) => (path, init) => fetch(`${mock.url}${path}`, init)],
  ['without a socket', { listen: false }, (mock) => (path, init) => mock.fetch(path, init)],
];

/** The responses with and without a socket, as text. */
const responses: string[] = [];

const create = (key: string, fields: object = {}): RequestInit => ({
  method: 'POST',
  headers: { 'x-api-key': key },
  body: JSON.stringify({ balance: 25, ...fields }),
});

describe.each(doors)('startMock %s', (_, options, door) => {
  test('gives the same responses with and without a socket', async () => {
    await using mock = await startMock({ seed: 7, publicUrl: 'https://cards.example.com', ...options });
    const send = door(mock);
    const headers = { 'x-api-key': mock.apiKey };
    const seen = [];
    for (const [path, init] of [
      ['/api/GiftCard/GetByCode/ACTIVE-0001', { headers }],
      ['/api/GiftCard/GetByCode/ACTIVE-0001', { method: 'HEAD', headers }],
      ['/api/GiftCard/GetByCode/A%2FB%25', { headers }],
      ['/api/GiftCard/List?pageSize=0', { headers }],
      ['/api/GiftCard/List', {}],
      ['/api/GiftCard/List', { method: 'DELETE', headers }],
      ['/api/Nowhere', { headers }],
      ['/api/GiftCard/Create', create(mock.apiKey, { code: 'ü 🎁' })],
      ['/api/GiftCard/Create', { method: 'POST', headers, body: 'x'.repeat(1024 * 1024 + 1) }],
      ['/api/GiftCard/Create', { method: 'POST', headers }],
      ['/__mock/nothing', {}],
    ] as [string, RequestInit][]) {
      const response = await send(path, init);
      expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now()), path).toBeLessThan(5000);
      const others = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
      const body = (await response.text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)');
      seen.push([init.method ?? 'GET', path, response.status, others.sort(), body]);
    }
    expect(seen.map(([, , status]) => status)).toEqual([200, 200, 404, 400, 401, 405, 404, 200, 413, 400, 404]);
    responses.push(JSON.stringify(seen));
    expect(new Set(responses).size).toBe(1);
  });

  test('repeats IDs and codes with a seed, and has new ones without', async () => {
    const made = async (seed?: number) => {
      await using mock = await startMock({ ...options, ...(seed === undefined ? {} : { seed }) });
      const card = (await (await door(mock)('/api/GiftCard/Create', create(mock.apiKey))).json()) as { id: string; code: string };
      return [mock.seed, card.id, card.code];
    };
    const [first, again, other, own] = [await made(7), await made(7), await made(8), await made()];
    expect(again).toEqual(first);
    expect(first[0]).toBe(7);
    expect(new Set([first, other, own].flat()).size).toBe(9);
  });

  test('reset restores everything, with the same IDs', async () => {
    await using mock = await startMock({ seed: 7, ...options });
    const send = door(mock);
    const list = async () => (await send('/api/GiftCard/List?includeAll=true', { headers: { 'x-api-key': mock.apiKey } })).json();
    const before = JSON.stringify(await list()).replace(/\d{4}-[^"]*Z/g, '');
    const id = async () =>
      ((await (await send('/api/GiftCard/Create', create(mock.apiKey, { uniqueId: 'one' }))).json()) as { id: string }).id;
    const first = await id();
    await send('/__mock/accounts', { method: 'POST' });
    await mock.reset();
    expect(JSON.stringify(await list()).replace(/\d{4}-[^"]*Z/g, '')).toBe(before);
    expect(mock.accounts.map((account) => account.id)).toEqual(['main', 'other', 'basic']);
    expect(mock.accounts.map((account) => account.apiKey)).toEqual([expect.any(String), expect.any(String), null]);
    expect(await id()).toBe(first);
  });

  test('accepts a world as a value or a file, and a rate limit', async () => {
    const file = join(tmpdir(), `giftcard-sandbox-${process.pid}-${options.listen ?? true}.yaml`);
    await writeFile(file, 'accounts:\n  - keys: [{ key: my-key }]\n    currency: EUR\n');
    for (const world of [file, { accounts: [{ keys: [{ key: 'my-key' }], currency: 'EUR' }] }]) {
      await using mock = await startMock({ ...options, world, rateLimit: 2 });
      expect([mock.apiKey, mock.accounts]).toEqual(['my-key', [{ id: 'main', plan: 'Pro', currency: 'EUR', apiKey: 'my-key' }]]);
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await door(mock)('/api/GiftCard/Create', create('my-key'))).status);
      expect(statuses).toEqual([200, 200, 429]);
    }
    await rm(file);
  });
});

test('the key and the parts of a mock belong to one account, also after its keys change', async () => {
  await using mock = await startMock({
    listen: false,
    world: { accounts: [{ id: 'a', keys: [{ key: 'first' }] }, { id: 'b' }] },
  });
  const { key } = await mock.merchant.addKey();
  expect(mock.apiKey).toBe('first');
  await mock.merchant.deleteKey('first');
  expect(mock.apiKey).toBe(key);
  await mock.fetch('/api/GiftCard/Create', create(mock.apiKey));
  expect((await mock.journal.list()).entries.map(({ what }) => what)).toContain('createGiftCard');
});

test('requests with and without a socket see the same state', async () => {
  await using mock = await startMock();
  const { code } = (await (await mock.fetch('/api/GiftCard/Create', create(mock.apiKey))).json()) as { code: string };
  const response = await fetch(`${mock.url}/api/GiftCard/GetByCode/${code}`, { headers: { 'x-api-key': mock.apiKey } });
  expect(response.status).toBe(200);
});

test('fetch accepts a URL, a Request and both; the host is ignored', async () => {
  await using mock = await startMock({ listen: false });
  const address = `https://api.example:8443/api/GiftCard/List`;
  const headers = { 'x-api-key': mock.apiKey };
  expect((await mock.fetch(new URL(address), { headers })).status).toBe(200);
  expect((await mock.fetch(new Request(address, { headers }))).status).toBe(200);
  expect((await mock.fetch(new Request(address), { headers })).status).toBe(200);
  expect((await mock.fetch(new Request('https://api.example/api/GiftCard/Create', create(mock.apiKey)))).status).toBe(200);
  expect((await mock.fetch('https://api.example/__mock/health')).status).toBe(200);
});

describe('starting', () => {
  test('rejects with a sentence and the code of node for a port in use', async () => {
    await using mock = await startMock();
    const port = Number(new URL(mock.url).port);
    const message = `Port ${port} on 127.0.0.1 is in use; choose another, or 0 for a free port.`;
    await expect(startMock({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', message });
  });

  test('rejects a world that cannot be used', async () => {
    await expect(startMock({ world: '/no/such/file.yaml' })).rejects.toThrow(WorldFileError);
    await expect(startMock({ world: { accounts: [{ plan: 'Gold' }] } as never })).rejects.toThrow(/Gold/);
  });

  test('the control API requires a token only if other machines can reach it', async () => {
    await using own = await startMock();
    await using open = await startMock({ host: '0.0.0.0', controlToken: 'open-sesame' });
    await using secret = await startMock({ host: '0.0.0.0', listen: false });
    expect([own.controlToken, open.controlToken]).toEqual([undefined, 'open-sesame']);
    expect(secret.controlToken).toMatch(/^[0-9a-f-]{36}$/);
    expect((await open.fetch('/__mock/accounts')).status).toBe(401);
    expect((await open.fetch('/__mock/accounts', { headers: { 'x-sandbox-token': 'open-sesame' } })).status).toBe(200);
  });

  test('webhook.create.other-schemes: accepts http:// only for allowed hosts', async () => {
    await using mock = await startMock({ listen: false, allowHttpWebhooks: ['Receiver'] });
    const register = async (url: string) => {
      const init = { method: 'POST', headers: { 'x-api-key': mock.apiKey }, body: JSON.stringify({ url }) };
      return (await mock.fetch('/api/Webhook/Create', init)).status;
    };
    expect(await register('http://receiver:3000/hook')).toBe(200);
    expect(await register('http://receiver.example/hook')).toBe(400);
    expect(await register('ftp://receiver/hook')).toBe(400);
  });

  test('apiKey throws if no account has a usable key', async () => {
    await using mock = await startMock({ listen: false, world: { accounts: [{ plan: 'Basic' }, { keys: [] }] } });
    expect(() => mock.apiKey).toThrow(/no usable key/);
  });
});

test('a closed mock without a socket rejects every request', async () => {
  const mock = await startMock({ listen: false });
  await mock.close();
  for (const path of ['/api/GiftCard/List', '/__mock/health'])
    await expect(mock.fetch(path)).rejects.toThrow('The sandbox is closed; start another sandbox with startMock.');
  await expect(mock.clock.read()).rejects.toThrow(/^No sandbox responds at .*The sandbox is closed/);
});

test('a closed mock does not listen, and can be closed again', async () => {
  const mock = await startMock();
  await mock.close();
  await expect(fetch(`${mock.url}/__mock/health`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  await mock.close();
});

test.each([
  [{ prot: 1 }, /no option "prot"/],
  [{ rateLimit: 'of' }, /^rateLimit .*"of"/],
  [{ rateLimit: 0 }, /got 0/],
  [{ rateLimit: 1e12 }, /got 1000000000000/],
  [{ port: 'x' }, /^port .*"x"/],
  [{ seed: 1.5 }, /^seed .*1\.5/],
  [{ state: '' }, /^state .*""/],
  [{ allowHosts: ['shop:8460'] }, /^allowHosts .*"shop:8460"/],
  [{ allowHttpWebhooks: 'receiver' }, /host names .*"receiver"/],
  [{ allowHttpWebhooks: ['http://receiver'] }, /"http:\/\/receiver"/],
])('the options %o are refused with a sentence', async (options, sentence) => {
  await expect(startMock(options as MockOptions)).rejects.toThrow(sentence);
});
