import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Account, type Mock, SandboxError, startMock } from '../index.ts';
import { connectSandbox } from './sandbox.ts';

/** The same two accounts, within the process and over a socket. */
const WORLD = { accounts: [{ id: 'shop' }, { id: 'other' }] };

async function held(way: 'in the process' | 'over a socket'): Promise<{ mock: Mock; account: Account }> {
  const mock = await startMock({ world: WORLD, listen: way === 'over a socket' });
  const account = await (way === 'over a socket' ? connectSandbox({ url: `${mock.url}/` }) : mock).getAccount('shop');
  return { mock, account };
}

test.each(['in the process', 'over a socket'] as const)('an account %s', async (way) => {
  const { mock, account } = await held(way);
  await using _ = mock;
  expect(account).toMatchObject({ id: 'shop', apiKey: 'sandbox-key-shop-not-a-real-key' });
  await account.clock.freeze('2030-05-01T00:00:00Z');
  const created = await account.fetch('/api/GiftCard/Create', {
    method: 'POST',
    body: JSON.stringify({ balance: 25, code: 'A', expiresAtUtc: '2030-05-02T00:00:00Z' }),
  });
  expect([created.status, created.headers.get('date')]).toEqual([200, 'Wed, 01 May 2030 00:00:00 GMT']);
  expect(await account.clock.advance('P2D')).toMatchObject({ events: [{ what: 'expiry', code: 'A' }] });
  expect(await account.clock.advance({ to: new Date('2030-06-01T00:00:00Z') })).toMatchObject({ events: [] });
  expect(await account.clock.read()).toMatchObject({ mode: 'frozen', nowUtc: '2030-06-01T00:00:00.000Z' });
  expect(await account.merchant.card('A')).toMatchObject({ giftCard: { status: 'Expired' } });
  expect(await account.suppressed.waitFor({ what: 'email' })).toMatchObject({ rule: 'emails.none-by-default' });

  const { entries } = await account.journal.list({ operation: 'createGiftCard' });
  expect(await account.journal.entry(entries[0]?.number ?? 0)).toEqual(entries[0]);
  expect(await account.journal.advice()).toMatchObject([{ rule: 'idempotency.create.unique-id-optional' }]);
  expect((await account.journal.ofCard('A')).causes).toMatchObject([{ what: 'createGiftCard' }, { what: 'expiry' }]);

  const snapshot = await account.snapshot();
  await account.reset();
  await expect(account.merchant.card('A')).rejects.toThrow(SandboxError);
  await account.restore(snapshot);
  expect(await account.merchant.card('A')).toMatchObject({ giftCard: { status: 'Expired' } });

  await account.remove();
  await expect(account.describe()).rejects.toThrow(/^There is no account shop\./);
});

test('a new account is like the first of the default world, or as described, and shares nothing', async () => {
  await using mock = await startMock({ listen: false });
  const [one, other, plain] = [
    await mock.createAccount(),
    await mock.createAccount(),
    await mock.createAccount({ id: 'plain', currency: 'JPY' }),
  ];
  expect(new Set([one.id, other.id, plain.id, one.apiKey, other.apiKey, plain.apiKey]).size).toBe(6);
  expect((await one.fetch('/api/GiftCard/GetByCode/VOUCHER-0001')).status).toBe(200);
  expect((await plain.fetch('/api/GiftCard/GetByCode/VOUCHER-0001')).status).toBe(404);
  await one.fetch('/api/GiftCard/Create', { method: 'POST', body: '{"balance":5,"code":"MINE"}' });
  expect((await other.fetch('/api/GiftCard/GetByCode/MINE')).status).toBe(404);
});

test('a refusal is an error with the status and one sentence, and changes nothing', async () => {
  await using mock = await startMock({ listen: false });
  const before = await mock.clock.freeze('2099-01-01T00:00:00Z');
  await expect(mock.clock.advance({ to: '2098-01-01T00:00:00Z' })).rejects.toMatchObject({
    name: 'SandboxError',
    status: 409,
    message: expect.stringMatching(/^\S.*2098-01-01.*\.$/),
  });
  expect((await mock.clock.read()).nowUtc).toBe(before.nowUtc);
  await expect(mock.getAccount('unknown')).rejects.toMatchObject({ status: 404 });
  await expect(mock.createAccount({ id: 'x', plna: 'Pro' } as never)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('plna'),
  });
});

test('the mock has the parts of the account of apiKey', async () => {
  await using mock = await startMock({ listen: false, world: { accounts: [{ id: 'closed', plan: 'Basic' }, { id: 'open' }] } });
  await mock.merchant.addCard({ code: 'OURS' });
  const response = await mock.fetch('/api/GiftCard/GetByCode/OURS', { headers: { 'x-api-key': mock.apiKey } });
  expect(response.status).toBe(200);
});

test('the mock object works without the control API, or with its own port for it', async () => {
  for (const options of [{ control: false }, { controlPort: 0 }]) {
    await using mock = await startMock(options);
    expect(await mock.clock.freeze()).toMatchObject({ mode: 'frozen' });
    expect((await fetch(`${mock.url}/__mock/health`)).status).toBe(401);
    if (mock.controlUrl === undefined) continue;
    const account = await connectSandbox({ url: mock.url, controlUrl: mock.controlUrl }).getAccount('main');
    expect((await account.fetch('/api/Company/Profile')).status).toBe(200);
    expect(await account.clock.read()).toMatchObject({ mode: 'frozen' });
  }
});

test('a snapshot of everything restores all accounts', async () => {
  await using mock = await startMock({ world: WORLD });
  const sandbox = connectSandbox({ url: mock.url });
  const snapshot = await sandbox.snapshot();
  const shop = await sandbox.getAccount('shop');
  await shop.merchant.addCard({ code: 'NEW' });
  await (await sandbox.getAccount('other')).remove();
  await sandbox.restore(snapshot);
  await expect(shop.merchant.card('NEW')).rejects.toMatchObject({ status: 404 });
  expect(await (await sandbox.getAccount('other')).describe()).toMatchObject({ id: 'other' });
  await mock.restore(await mock.snapshot());
  expect(await sandbox.health()).toMatchObject({ status: 'ok', accounts: 2 });
});

test('a server that is not a sandbox is reported', async () => {
  await using mock = await startMock({ control: false });
  await expect(connectSandbox({ url: mock.url }).health()).rejects.toThrow(/not the address of a sandbox's control API/);
  await expect(connectSandbox({ url: 'http://127.0.0.1:1' }).health()).rejects.toThrow(
    /^No sandbox responds at http:\/\/127\.0\.0\.1:1 \(.+\)\.$/,
  );
});

test('an invalid argument is a TypeError with a sentence, and nothing is sent', async () => {
  await using mock = await startMock({ listen: false });
  const { clock } = await mock.createAccount();
  await expect(clock.advance(5 as never)).rejects.toThrow(TypeError);
  await expect(clock.advance({ days: 1 } as never)).rejects.toThrow(/"P1D".*\{"days":1\}\.$/);
  await expect(clock.advance(undefined as never)).rejects.toThrow(/"P1D".*undefined\.$/);
  await expect(clock.advance({ to: 5 } as never)).rejects.toThrow(TypeError);
  await expect(clock.freeze(new Date('never'))).rejects.toThrow(/Invalid Date\.$/);
  const sentence = /^url of connectSandbox .*http:\/\/127\.0\.0\.1:8460/;
  for (const options of [{}, undefined, { url: 'localhost:8460' }, { url: 8460 }])
    expect(() => connectSandbox(options as never)).toThrow(sentence);
  expect(() => connectSandbox({ url: mock.url, controlUrl: 'x' })).toThrow(/^controlUrl of .*"x"\.$/);
});

test('waiting for a missing delivery reports the reason', async () => {
  await using mock = await startMock({ listen: false });
  const account = await mock.createAccount({ cards: [{ code: 'A', balance: 5 }] });
  const waitFor = (topic: 'giftcard/updated' | 'giftcard/voided', card?: string) =>
    account.deliveries
      .waitFor({ topic, ...(card === undefined ? {} : { card }) }, { timeout: 1 })
      .catch((error: Error) => error.message);
  expect(await waitFor('giftcard/voided')).toMatch(/Nothing matches .*giftcard\/voided.* within 1ms/);
  await expect(account.outbox.waitFor({}, { timeout: '1ms' })).rejects.toMatchObject({ name: 'SandboxError', status: 408 });
  await expect(account.outbox.waitFor({ topic: 'x' } as never, { timeout: 1 })).rejects.toMatchObject({ status: 400 });
  await account.fetch('/api/GiftCard/VoidByCode/A', { method: 'DELETE' });
  const refused = createServer((_, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void refused.close());
  await once(refused, 'listening');
  const { port } = refused.address() as AddressInfo;
  const shop = await mock.createAccount({ cards: [{ code: 'B', balance: 5 }], webhooks: [{ url: `http://127.0.0.1:${port}/` }] });
  await shop.fetch('/api/GiftCard/VoidByCode/B', { method: 'DELETE' });
  await shop.settled();
  await expect(shop.deliveries.waitFor({ topic: 'giftcard/voided', state: 'delivered' }, { timeout: 1 })).rejects.toThrow(
    'The last giftcard/voided for the card B is failed: {"status":401}.',
  );
  expect(await waitFor('giftcard/voided', 'A')).toMatch(/is \S+ for the card A: .*\(.+\)\.$/);
});

test('a disabled webhook is described, although the API does not list it', async () => {
  await using mock = await startMock({ listen: false });
  const account = await mock.createAccount({ webhooks: [{ url: 'https://hook.example/', enabled: false, failures: 6 }] });
  expect(await account.describe()).toMatchObject({
    webhooks: [{ url: 'https://hook.example/', enabled: false, lifetimeFailures: { count: 6, of: 6 } }],
  });
});

test('an account can have a lifetime', async () => {
  await using mock = await startMock({ listen: false });
  const account = await mock.createAccount({}, { ttl: '10m' });
  expect(await account.describe()).toMatchObject({ goneAtUtc: expect.any(String) });
  expect(await (await mock.createAccount()).describe()).toMatchObject({ goneAtUtc: null });
});
