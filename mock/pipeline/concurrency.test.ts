import { expect, onTestFinished, test } from 'vitest';
import { type Mock, startMock } from '../index.ts';

/** A mock behind a socket, and posts that do not wait for each other. */
async function posting(): Promise<{
  mock: Mock;
  post(path: string, body: object): Promise<Response>;
  get(path: string): Promise<unknown>;
}> {
  const mock = await startMock({ world: { accounts: [{}] }, rateLimit: 'off' });
  onTestFinished(() => mock.close());
  const headers = { 'x-api-key': mock.apiKey, 'content-type': 'application/json' };
  return {
    mock,
    post: (path, body) => fetch(mock.url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    get: async (path) => (await fetch(mock.url + path, { headers })).json(),
  };
}

function count(statuses: readonly number[]): Record<number, number> {
  return Object.fromEntries([...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]));
}

const times = <T>(number: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: number }, (_, i) => make(i)));

test('idempotency.create.parallel-makes-one: 50 parallel creates with one uniqueId make exactly one card', async () => {
  const { post, get } = await posting();
  const responses = await times(50, () => post('/api/GiftCard/Create', { balance: 10, uniqueId: 'order-7' }));
  expect(count(responses.map(({ status }) => status))).toEqual({ 200: 1, 400: 49 });
  expect(await get('/api/GiftCard/List')).toMatchObject({ totalCount: 1 });
});

test('gift-card.create.refuses-taken-code: 50 parallel creates with one code make exactly one card', async () => {
  const { post, get } = await posting();
  const responses = await times(50, (i) => post('/api/GiftCard/Create', { balance: i, code: i % 2 ? 'SAME' : 'same' }));
  expect(count(responses.map(({ status }) => status))).toEqual({ 200: 1, 400: 49 });
  expect(await get('/api/GiftCard/List')).toMatchObject({ totalCount: 1 });
});

test('adjustment.parallel-all-count: 100 parallel adjustments are exact to the cent', async () => {
  const { post, get } = await posting();
  await post('/api/GiftCard/Create', { balance: 0.1, code: 'BUSY' });
  const responses = await times(100, (i) =>
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
      giftCardCode: 'BUSY',
      adjustmentAmount: i % 4 === 0 ? -0.1 : 0.2,
      actionedAtUtc: '2026-01-15T12:00:00Z',
      uniqueAdjustmentId: `adjustment-${i}`,
    }),
  );
  expect(count(responses.map(({ status }) => status))).toEqual({ 200: 100 });
  expect(await get('/api/GiftCard/GetByCode/BUSY')).toMatchObject({ balance: 12.6 });
});

test('idempotency.adjustment.parallel-counts-once: 50 parallel adjustments with one uniqueAdjustmentId count once', async () => {
  const { post, get } = await posting();
  await post('/api/GiftCard/Create', { balance: 10, code: 'BUSY' });
  const responses = await times(50, () =>
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
      giftCardCode: 'BUSY',
      adjustmentAmount: -1,
      actionedAtUtc: '2026-01-15T12:00:00Z',
      uniqueAdjustmentId: 'order-7',
    }),
  );
  expect(count(responses.map(({ status }) => status))).toEqual({ 200: 1, 400: 49 });
  expect(await get('/api/GiftCard/GetByCode/BUSY')).toMatchObject({ balance: 9 });
});

test('adjustment.by-id.refuses-overdraw: 50 parallel redemptions never exceed the balance', async () => {
  const { post, get } = await posting();
  const { id } = (await (await post('/api/GiftCard/Create', { balance: 10 })).json()) as { id: string };
  const responses = await times(50, (i) =>
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
      giftCardId: id,
      adjustmentAmount: -0.3,
      actionedAtUtc: '2026-01-15T12:00:00Z',
      uniqueAdjustmentId: `redemption-${i}`,
    }),
  );
  expect(count(responses.map(({ status }) => status))).toEqual({ 200: 33, 400: 17 });
  expect(await get(`/api/GiftCard/GetById/${id}`)).toMatchObject({ balance: 0.1, status: 'Active' });
});

test('idempotency.automation.skips-repeat: 20 parallel events with one key issue one reward', async () => {
  const mock = await startMock({ world: { accounts: [{ automations: [{ name: 'Thanks', eventName: 'review' }] }] } });
  onTestFinished(() => mock.close());
  const responses = await times(20, async () => {
    const response = await fetch(`${mock.url}/api/AutomationTriggerEvents`, {
      method: 'POST',
      headers: { 'x-api-key': mock.apiKey },
      body: JSON.stringify({ event_name: 'review', recipient_email: 'rita@example.com', idempotency_key: 'order-7' }),
    });
    return (await response.json()) as { gift_cards: unknown[] };
  });
  expect(responses.flatMap(({ gift_cards }) => gift_cards)).toHaveLength(1);
});
