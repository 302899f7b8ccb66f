import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import { type Mock, startMock } from '../index.ts';
import controlDocument from './generated/control.json' with { type: 'json' };
import { controlOperations } from './operations.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await startMock({ listen: false, seed: 1 });
});
afterEach(() => mock.close());

interface ApiResponse {
  readonly status: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the response has no type here. The tests compare its values.
  readonly body: any;
}

/** Calls the control API. */
async function control(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await mock.fetch(`/__mock${path}`, { method, headers, ...(text === undefined ? {} : { body: text }) });
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    type,
    body: type.startsWith('application/json') ? await response.json() : await response.text(),
  };
}

/** Calls the service with the key of an account. */
async function send(key: string, method: string, path: string, body?: object): Promise<ApiResponse> {
  const init = { method, headers: { 'x-api-key': key }, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await mock.fetch(`/api/${path}`, init);
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    type,
    body: type.startsWith('application/json') ? await response.json() : await response.text(),
  };
}

describe('the control API has', () => {
  test('health: the status and the version', async () => {
    const { status, body } = await control('GET', '/health');
    expect([status, body]).toEqual([
      200,
      { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), seed: 1, accounts: 3, defects: [] },
    ]);
  });

  test.each(['', '?rules=true'])('the contract as JSON and as YAML %s', async (query) => {
    const { body: document } = await control('GET', `/openapi.json${query}`);
    expect(document.paths['/api/GiftCard/Create'].post.responses).toEqual(contract.paths['/api/GiftCard/Create'].post.responses);
    expect(document['x-rules']).toEqual(query ? contract['x-rules'] : undefined);
    const { type, body } = await control('GET', `/openapi.yaml${query}`);
    expect(type).toBe('application/yaml; charset=utf-8');
    const { parse } = await import('yaml');
    expect(parse(body)).toEqual(document);
  });

  test('the document of the control API', async () => {
    expect((await control('GET', '/control.json')).body).toEqual(controlDocument);
  });

  test('the accounts, all and each', async () => {
    const { body } = await control('GET', '/accounts');
    expect(body.map(({ id, apiKey }: { id: string; apiKey: string }) => [id, apiKey])).toEqual(
      mock.accounts.map(({ id, apiKey }) => [id, apiKey]),
    );
    expect((await control('GET', '/accounts/other')).body).toEqual(body[1]);
    expect(body[1]).toMatchObject({ plan: 'Enterprise', currency: 'EUR', timeZone: 'Europe/Lisbon' });
  });

  test('gift-card.create.timeline-records-origin: the timeline of a card, with the key used', async () => {
    const { id } = (await send(mock.apiKey, 'POST', 'GiftCard/Create', { balance: 5 })).body;
    await send(mock.apiKey, 'DELETE', `GiftCard/VoidById/${id}`);
    const { body } = await control('GET', `/accounts/main/cards/${id}/timeline`);
    expect(body.map(({ text }: { text: string }) => text)).toEqual([
      'Created through the API: Sandbox key',
      'Voided through the API: Sandbox key',
    ]);
  });

  test('channels, emails, deliveries and what was not sent', async () => {
    const { id } = (
      await send(mock.apiKey, 'POST', 'GiftCard/Create', {
        balance: 5,
        code: 'SEEN-1',
        shouldSendNotification: true,
        recipientEmailAddress: 'ada@example.com',
      })
    ).body;
    await mock.settled();
    const channels = (await control('GET', '/accounts/main/channels')).body;
    for (const { cards } of channels) {
      expect(cards.find(({ code }: { code: string }) => code === 'SEEN-1')).toMatchObject({
        state: 'synced',
        balance: 5,
        drifted: false,
      });
    }
    expect((await control('GET', '/accounts/main/outbox')).body).toMatchObject([{ to: 'ada@example.com', giftCardId: id }]);
    expect((await control('GET', '/accounts/main/deliveries')).body).toEqual([]);
    expect((await control('GET', '/accounts/main/suppressed')).body).toMatchObject([
      { what: 'giftcard/updated', giftCardId: id, code: 'SEEN-1', rule: 'delivery.one-per-webhook' },
    ]);
    expect((await control('GET', '/accounts/main/allowance')).body).toMatchObject({ used: expect.any(Number) });
    expect((await control('GET', '/accounts/main')).body.dropped).toEqual({ outbox: 0, deliveries: 0, suppressed: 0 });
  });

  test('a reset brings everything back', async () => {
    await send(mock.apiKey, 'POST', 'GiftCard/Create', { balance: 5, code: 'GONE-1' });
    await control('POST', '/accounts');
    expect((await control('POST', '/reset')).body).toMatchObject({ status: 'ok', accounts: 3 });
    expect((await send(mock.apiKey, 'GET', 'GiftCard/GetByCode/GONE-1')).status).toBe(404);
    expect((await send(mock.apiKey, 'GET', 'GiftCard/GetByCode/ACTIVE-0001')).status).toBe(200);
  });
});

test('GET /__mock/ lists the operations', async () => {
  const { body } = await control('GET', '/');
  expect(Object.keys(body.paths)).toHaveLength(controlOperations.length);
  expect(body.paths['POST /__mock/accounts']).toBe('Add an account');
});

describe('an invalid request', () => {
  test.each<[string, string, string, number, unknown?]>([
    ['an unknown top path', 'GET', '/nothing', 404],
    ['an unknown path', 'GET', '/nothing', 404],
    ['an unknown part of an account', 'GET', '/accounts/main/nothing', 404],
    ['a trailing slash', 'GET', '/health/', 404],
    ['another method', 'DELETE', '/health', 405],
    ['a reset with GET', 'GET', '/reset', 405],
    ['an unknown account', 'GET', '/accounts/unknown', 404],
    ['the outbox of an unknown account', 'GET', '/accounts/unknown/outbox', 404],
    ['an id with a broken escape', 'GET', '/accounts/%ZZ', 404],
    ['an id of every object', 'GET', '/accounts/__proto__/outbox', 404],
    ['a timeline of an unknown card', 'GET', '/accounts/main/cards/x/timeline', 404],
    ['a code in another letter case', 'GET', '/accounts/main/cards/active-0001/timeline', 404],
    ['an unknown query parameter', 'GET', '/accounts?limit=1', 400],
    ['a body where none is allowed', 'POST', '/reset', 400, { all: true }],
    ['an adjustment without a body', 'POST', '/accounts/main/cards/ACTIVE-0001/adjustments', 400],
    ['an adjustment of an unknown card', 'POST', '/accounts/main/cards/UNKNOWN/adjustments', 404, { amount: 5 }],
    ['an adjustment without an amount', 'POST', '/accounts/main/cards/ACTIVE-0001/adjustments', 400, { notes: 'x' }],
    ['notes of another type', 'POST', '/accounts/main/cards/ACTIVE-0001/adjustments', 400, { amount: 1, notes: 1 }],
    ['a misspelt property', 'POST', '/accounts/main/cards/ACTIVE-0001/adjustments', 400, { amount: 1, note: 'x' }],
    ['an adjustment of a voucher', 'POST', '/accounts/main/cards/VOUCHER-0001/adjustments', 409, { amount: 1 }],
    ['no JSON', 'POST', '/accounts', 400, '{'],
    ['an array', 'POST', '/accounts', 400, []],
    ['null', 'POST', '/accounts', 400, 'null'],
    ['a text', 'POST', '/accounts', 400, '"main"'],
    ['an unknown property', 'POST', '/accounts', 400, { nmae: 'x' }],
    ['an unknown plan', 'POST', '/accounts', 400, { plan: 'Gold' }],
    ['an id in use', 'POST', '/accounts', 409, { id: 'other' }],
    ['a key in use', 'POST', '/accounts', 409, { keys: [{ key: 'sandbox-key-main-not-a-real-key' }] }],
    ['a deleted key in use', 'POST', '/accounts', 409, { keys: [{ key: 'sandbox-key-main-deleted-not-a-real-key' }] }],
    ['two cards of one code', 'POST', '/accounts', 400, { cards: [{ code: 'A' }, { code: 'a' }] }],
  ])('%s: one sentence, and nothing changed', async (_, method, path, status, body) => {
    const before = [(await control('GET', '/accounts')).body, (await control('GET', '/health')).body];
    const response = await control(method, path, body);
    expect(response.status, JSON.stringify(response.body)).toBe(status);
    expect(response.body.error).toMatch(/^\S.*[.?]$/s);
    expect([(await control('GET', '/accounts')).body, (await control('GET', '/health')).body]).toEqual(before);
  });

  test('a page of another origin, and another host', async () => {
    expect((await control('POST', '/reset', undefined, { origin: 'https://page.example' })).status).toBe(403);
    expect((await control('GET', '/health', undefined, { host: 'rebound.example' })).status).toBe(403);
  });
});

describe('an account made on demand', () => {
  test('is like the first of the default world, with its own id and key', async () => {
    const { status, body } = await control('POST', '/accounts');
    expect([status, body.id, body.apiKey]).toEqual([201, 'account-4', 'sandbox-key-account-4-not-a-real-key']);
    const own = (await send(body.apiKey, 'GET', 'GiftCard/List?pageSize=50&includeAll=true')).body;
    const first = (await send(mock.apiKey, 'GET', 'GiftCard/List?pageSize=50&includeAll=true')).body;
    const codes = (list: typeof own) => list.giftCards.map(({ code }: { code: string }) => code);
    const ids = (list: typeof own) => list.giftCards.map(({ id }: { id: string }) => id);
    expect(codes(own)).toEqual(codes(first));
    expect(new Set([...ids(own), ...ids(first)]).size).toBe(2 * own.totalCount);
  });

  test('is as it is described, and plain where it is not', async () => {
    const { body } = await control('POST', '/accounts', {
      id: 'mine',
      currency: 'JPY',
      keys: [{ key: 'my-key', description: 'Mine' }],
      cards: [{ code: 'MINE-1', initialValue: 500 }],
      sampleCards: 3,
    });
    expect(body).toMatchObject({ id: 'mine', apiKey: 'my-key', currency: 'JPY', plan: 'Pro' });
    expect((await send('my-key', 'GET', 'GiftCard/List')).body.totalCount).toBe(4);
    expect((await send('my-key', 'GET', 'GiftCard/GetByCode/MINE-1')).body).toMatchObject({ balance: 500, currency: 'JPY' });
  });

  test.each([
    ['from nothing', undefined],
    ['from a description', { sampleCards: 2 }],
  ])('is one of many made side by side, %s', async (_, description) => {
    const made = await Promise.all(Array.from({ length: 20 }, () => control('POST', '/accounts', description)));
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(20);
    expect(new Set(made.map(({ body }) => body.apiKey)).size).toBe(20);
  });

  test('is one if two requests name the same id at once', async () => {
    const made = await Promise.all([1, 2, 3].map(() => control('POST', '/accounts', { id: 'same', sampleCards: 1 })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await control('GET', '/health')).body.status).toBe('ok');
  });

  test('shares nothing with another: cards, unique values, webhooks, emails, deliveries, rate', async () => {
    const receiver = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const [one, two] = [
      (await control('POST', '/accounts', { name: 'One' })).body,
      (await control('POST', '/accounts', { name: 'Two' })).body,
    ];
    const card = {
      balance: 25,
      code: 'SAME-1',
      uniqueId: 'same',
      shouldSendNotification: true,
      recipientEmailAddress: 'ada@example.com',
    };
    const adjustment = {
      giftCardCode: 'SAME-1',
      adjustmentAmount: 5,
      actionedAtUtc: '2026-01-15T11:00:00Z',
      uniqueAdjustmentId: 'same',
    };
    const webhook = (await send(one.apiKey, 'POST', 'Webhook/Create', { url })).body;
    const use = async (key: string) => [
      (await send(key, 'POST', 'GiftCard/Create', card)).status,
      (await send(key, 'POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment)).status,
      (await send(key, 'POST', 'WebStoreCoupon/Create', { code: 'TEN', discountType: 'Percentage', discountValue: 10 })).status,
    ];
    expect(await use(one.apiKey)).toEqual([200, 200, 200]);
    await mock.settled();
    const seen = async (id: string) =>
      Promise.all(
        ['outbox', 'deliveries', 'suppressed'].map(async (part) => (await control('GET', `/accounts/${id}/${part}`)).body.length),
      );
    expect(await seen(one.id)).toEqual([1, 1, 2]);
    expect(await seen(two.id)).toEqual([0, 0, 0]);
    expect((await send(two.apiKey, 'GET', 'GiftCard/List')).body.totalCount).toBe(0);
    expect((await send(two.apiKey, 'GET', 'Webhook/List')).body).toEqual([]);
    expect((await send(two.apiKey, 'DELETE', `Webhook/Delete/${webhook.id}`)).status).toBe(404);
    expect(await use(two.apiKey)).toEqual([200, 200, 200]);
    await mock.settled();
    expect(await seen(two.id)).toEqual([1, 0, 3]);
    for (let left = 200; left > 0; left--) await send(one.apiKey, 'GET', 'Webhook/List');
    expect((await send(one.apiKey, 'GET', 'Webhook/List')).status).toBe(429);
    expect((await send(two.apiKey, 'GET', 'Webhook/List')).status).toBe(200);
    await new Promise((resolve) => receiver.close(resolve));
  });
});
