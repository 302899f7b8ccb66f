import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MockProcess } from '../crash/mock/process.ts';
import { CountingReceiver } from '../crash/mock/receiver.ts';
import { PostgresServer } from './harness/postgres.ts';
import { Replicas, SpreadClient } from './harness/replicas.ts';

const KEY = 'key-of-the-shop';
const SHOP = '/__mock/accounts/shop';
const DAY = 86_400_000;
const START = Date.UTC(2027, 0, 1);

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.remove());

/** Starts three replicas, and creates an account. Returns a client of all replicas. */
async function startShop(description: object = {}, flags: readonly string[] = ['--rate-limit', 'off']) {
  const replicas = await Replicas.start(await postgres.database(), { flags });
  const client = new SpreadClient(replicas.urls);
  await client.read('POST', '/__mock/accounts', { id: 'shop', keys: [{ key: KEY, description: 'Shop' }], ...description });
  return { client, replicas };
}

/** Sends parallel requests. Returns how often each status was the response. */
async function statuses(client: SpreadClient, count: number, request: (number: number) => [path: string, body?: object]) {
  const requests = Array.from({ length: count }, (_, number) => request(number));
  const responses = await Promise.all(requests.map(([path, body]) => client.read(body ? 'POST' : 'GET', path, body, KEY)));
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const create = (body: object): [string, object] => ['/api/GiftCard/Create', { balance: 10, ...body }];
const cardOf = (client: SpreadClient, code: string) => client.get(`/api/GiftCard/GetByCode/${code}`, KEY);

test('50 parallel creates with one uniqueId make one card', async () => {
  const { client } = await startShop();
  const counts = await statuses(client, 50, (number) => create({ code: `CODE-${number}`, uniqueId: 'order-1' }));
  expect(counts).toEqual({ 200: 1, 400: 49 });
  expect((await client.get('/api/GiftCard/List', KEY)).totalCount).toBe(1);
});

test('1,000 parallel adjustments by code are exact', async () => {
  const { client } = await startShop({ cards: [{ code: 'CARD', balance: 5 }] });
  const centsOf = (number: number) => (number % 3 === 0 ? 1 : -1) * (1 + (number % 97));
  const counts = await statuses(client, 1000, (number) => [
    '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    adjustment(number, { giftCardCode: 'CARD', adjustmentAmount: centsOf(number) / 100 }),
  ]);
  expect(counts).toEqual({ 200: 1000 });
  const cents = Array.from({ length: 1000 }, (_, number) => centsOf(number)).reduce((sum, each) => sum + each, 500);
  const { giftCard, adjustments } = await client.get('/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/CARD', KEY);
  expect([giftCard.balance, adjustments.length]).toEqual([cents / 100, 1000]);
});

test('parallel adjustments by ID never overdraw', async () => {
  const { client } = await startShop({ cards: [{ code: 'CARD', balance: 100 }] });
  const { id } = await cardOf(client, 'CARD');
  const counts = await statuses(client, 60, (number) => [
    '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId',
    adjustment(number, { giftCardId: id, adjustmentAmount: -7 }),
  ]);
  expect(counts).toEqual({ 200: 14, 400: 46 });
  expect((await cardOf(client, 'CARD')).balance).toBe(2);
});

test('every replica returns a whole snapshot, and restores it', async () => {
  const { client } = await startShop();
  for (let card = 0; card < 300; card++) await client.read('POST', ...create({ code: `CARD-${card}` }), KEY);
  for (let replica = 0; replica < 3; replica++) {
    const snapshot = await client.get(`${SHOP}/snapshot`);
    expect(snapshot.records.cards).toHaveLength(300);
    expect((await client.read('PUT', `${SHOP}/snapshot`, snapshot)).status).toBe(200);
  }
});

function adjustment(number: number, body: object): object {
  return { ...body, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: `adjustment-${number}` };
}

test('a key that is deleted through one replica is refused by all at once', async () => {
  const { client, replicas } = await startShop({
    keys: [
      { key: KEY, description: 'Own' },
      { key: 'other', description: 'Other' },
    ],
  });
  const profile = (url: string) => fetch(`${url}/api/Company/Profile`, { headers: { 'x-api-key': KEY } });
  const all = async () => (await Promise.all(replicas.urls.map(profile))).map(({ status }) => status);
  expect(await all()).toEqual([200, 200, 200]);
  expect((await replicas.at(2).read('DELETE', `${SHOP}/keys/${KEY}`)).status).toBe(200);
  expect(await all()).toEqual([401, 401, 401]);
  expect((await client.read('GET', '/api/Company/Profile', undefined, 'other')).status).toBe(200);
});

test('the replicas share the rate limit', async () => {
  const { client } = await startShop({}, ['--rate-limit', '20']);
  await client.read('PUT', `${SHOP}/clock`, { mode: 'frozen' });
  expect(await statuses(client, 60, () => ['/api/Company/Profile'])).toEqual({ 200: 20, 429: 40 });
});

test('a wait at one replica ends when another replica makes the event', async () => {
  const { replicas } = await startShop();
  const began = performance.now();
  const waiting = replicas.at(1).get(`${SHOP}/outbox?wait=60s`);
  const recipient = { recipientEmailAddress: 'rita@example.com', recipientName: 'Rita', shouldSendNotification: true };
  const [path, body] = create({ code: 'CARD', ...recipient });
  await replicas.at(2).read('POST', path, body, KEY);
  expect(await waiting).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('an advance of the clock through a replica happens once, and all replicas see it', async () => {
  const receiver = await CountingReceiver.start();
  onTestFinished(() => receiver.close());
  const { client, replicas } = await startShop({ webhooks: [{ url: `${receiver.url}/shop` }] });
  await client.read('PUT', `${SHOP}/clock`, { mode: 'frozen', at: new Date(START).toISOString() });
  const [path, body] = create({ code: 'CARD', expiresAtUtc: new Date(START + 1.5 * DAY).toISOString() });
  await client.read('POST', path, body, KEY);
  const advance = (index: number) => replicas.at(index).read('POST', `${SHOP}/clock/advance`, { by: 'P1D' });
  await Promise.all([advance(1), advance(2)]);
  const clocks = await Promise.all([0, 1, 2].map((index) => replicas.at(index).get(`${SHOP}/clock`)));
  expect(clocks.map(({ nowUtc }) => Date.parse(nowUtc))).toEqual([0, 1, 2].map(() => START + 2 * DAY));
  await client.read('POST', `${SHOP}/settle`);
  const deliveries = await client.get(`${SHOP}/deliveries?topic=giftcard/expired`);
  expect(deliveries).toHaveLength(1);
  expect([...receiver.postsOf('/shop')]).toEqual([[deliveries[0].requestId, 1]]);
  expect((await cardOf(client, 'CARD')).status).toBe('Expired');
});

test('the world is created once if three replicas start at the same time', async () => {
  const state = await postgres.database();
  const flags = ['--port', '0', '--public-url', 'https://cards.example.com', '--rate-limit', 'off', '--quiet'];
  const replicas = await Promise.all([0, 1, 2].map(() => MockProcess.start(state, flags)));
  const kill = async () => {
    for (const replica of replicas) await replica.kill();
  };
  onTestFinished(kill);
  const cards = (replica: MockProcess) => replica.get('/api/GiftCard/List?pageSize=50', 'sandbox-key-main-not-a-real-key');
  const [first, ...others] = await Promise.all(replicas.map(cards));
  expect(first.totalCount).toBeGreaterThan(5);
  expect(others).toEqual([first, first]);
  await kill();
  const restarted = await MockProcess.start(state, flags);
  replicas.push(restarted);
  expect(await cards(restarted)).toEqual(first);
});
