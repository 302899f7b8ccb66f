import { describe, expect, test } from 'vitest';
import { listAdvice } from '../control/journal.ts';
import { findAccount } from '../control/resources.ts';
import { serveNow } from '../pipeline/handle.ts';
import { restoreAccount } from '../store/snapshot/restore.ts';
import { snapshotOfMain, throughJson } from '../testing/account-fixture.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import type { AdviceName } from './advice-rules.ts';

/** An account. `counts` returns the number of occurrences of each advice. */
function advised(options: Parameters<typeof sandboxOf>[1] = {}) {
  const fixture = sandboxOf([{}], options);
  const counts = () => Object.fromEntries(listAdvice(fixture).map(({ name, count }) => [name, count]));
  const event = (fields: object = {}) =>
    fixture.send('POST', '/api/AutomationTriggerEvents', {
      event_name: 'x',
      recipient_email: 'ada@example.com',
      properties: {},
      ...fields,
    });
  const webhook = (fields: object) => fixture.send('POST', '/api/Webhook/Create', { url: 'https://a.example/', ...fields });
  const byId = (giftCardId: string, fields: object) =>
    fixture.send('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', {
      giftCardId,
      adjustmentAmount: -5,
      actionedAtUtc: '2026-01-15T11:00:00Z',
      uniqueAdjustmentId: 'by-id',
      ...fields,
    });
  const get = (path: string, times = 1) => {
    for (let index = 0; index < times; index++) fixture.send('GET', path);
  };
  return { ...fixture, counts, event, webhook, byId, get };
}

const careful = { uniqueId: 'order-1' };
const forAda = { recipientEmailAddress: 'ada@example.com' };

/** For each advice, requests that cause the advice once, and similar requests that do not. outbound/failures.test.ts tests webhook-disabled. */
const table: Record<
  Exclude<AdviceName, 'webhook-disabled'>,
  [hurts: (given: ReturnType<typeof advised>) => unknown, fine: (given: ReturnType<typeof advised>) => unknown]
> = {
  'create-without-unique-id': [
    ({ create }) => create(),
    ({ create, send }) => [create(careful), send('POST', '/api/GiftCard/Create', { balance: -1 })],
  ],
  'create-new-unique-id-per-try': [
    ({ create }) => [create({ ...forAda, uniqueId: 'a' }), create({ ...forAda, uniqueId: 'b' })],
    ({ create, send }) => [
      create({ ...forAda, ...careful }),
      send('POST', '/api/GiftCard/Create', { balance: 25, ...forAda, ...careful }),
      create({ ...forAda, customField1: 'line 2', uniqueId: 'c' }),
    ],
  ],
  'adjustment-new-unique-id-per-try': [
    ({ create, adjust }) => [create({ ...careful, code: 'C' }), adjust('C', -1), adjust('C', -1)],
    ({ create, adjust }) => [
      create({ ...careful, code: 'C' }),
      adjust('C', -1),
      adjust('C', -2),
      adjust('C', -1, { actionedAtUtc: '2026-01-15T11:00:01Z' }),
      adjust('C', -1, { uniqueAdjustmentId: 'adjustment-1' }),
    ],
  ],
  'adjustment-negative-balance': [
    ({ create, adjust }) => [create({ ...careful, code: 'C' }), adjust('C', -30)],
    ({ create, adjust, byId }) => {
      const { id } = create({ ...careful, code: 'C' });
      return [adjust('C', -25), byId(id, {}), byId(id, { adjustmentAmount: 5, uniqueAdjustmentId: 'more' })];
    },
  ],
  'automation-without-idempotency-key': [({ event }) => event(), ({ event }) => event({ idempotency_key: 'order-1' })],
  'key-in-browser': [
    ({ sandbox, account }) => serveNow(sandbox, request(account.keys[0]?.key, { origin: 'https://shop.example' })),
    ({ sandbox, account }) => [
      serveNow(sandbox, request(account.keys[0]?.key, { 'sec-fetch-mode': 'cors', 'user-agent': 'node' })),
      serveNow(sandbox, request(account.keys[0]?.key, { 'sec-fetch-site': 'same-origin', 'x-sandbox-dashboard': '1' })),
    ],
  ],
  'rate-no-wait': [
    ({ get, account }) => [account.rate.admit(NOON, account.behaviors), get('/api/Webhook/List', 3)],
    ({ get, at }) => [
      get('/api/Webhook/List', 2),
      get('/api/Company/Profile'),
      at(NOON + 1_000),
      get('/api/Webhook/List'),
      at(NOON + 61_000),
      get('/api/Webhook/List'),
    ],
  ],
  'list-pages-from-one': [
    ({ get }) => [get('/api/GiftCard/List?pageNumber=1'), get('/api/GiftCard/List?pageNumber=2')],
    ({ get }) => ['1', '', '2'].map((page) => get(`/api/GiftCard/List?pageNumber=${page || '0'}`)),
  ],
  'money-binary-fraction': [
    ({ send }) => send('POST', '/api/GiftCard/Create', { balance: 0.1 + 0.2, ...careful }),
    ({ send }) => [
      send('POST', '/api/GiftCard/Create', { balance: 0.3, ...careful }),
      send('POST', '/api/GiftCard/Create', { balance: 0.333 }),
    ],
  ],
  'date-without-zone': [
    ({ create }) => create({ ...careful, expiresAtUtc: '2026-06-01T12:00:00' }),
    ({ create, get }) => [
      create({ ...careful, expiresAtUtc: '2026-06-01T12:00:00+02:00' }),
      get('/api/GiftCard/List?since=2026-01-01T00:00:00Z'),
    ],
  ],
  'property-unknown': [
    ({ create }) => create({ ...careful, recipientEmail: 'ada@example.com' }),
    ({ create, event }) => [create({ ...careful, notes: 'x' }), event({ idempotency_key: 'k', properties: { any: 'thing' } })],
  ],
  'webhook-without-token': [({ webhook }) => webhook({}), ({ webhook }) => webhook({ requestHeaderVerificationToken: 't' })],
  'webhook-same-url-again': [
    ({ webhook }) => [webhook({ requestHeaderVerificationToken: 't' }), webhook({ requestHeaderVerificationToken: 't' })],
    ({ webhook }) => [
      webhook({ requestHeaderVerificationToken: 't' }),
      webhook({ requestHeaderVerificationToken: 't', url: 'https://b.example/' }),
    ],
  ],
};

function request(key: string | undefined, headers: Record<string, string>) {
  return { method: 'GET', target: '/api/Webhook/List', headers: { 'x-api-key': key, ...headers }, body: undefined };
}

describe.each(Object.entries(table))('%s', (name, [hurts, fine]) => {
  const rateLimit = name === 'rate-no-wait' ? 2 : null;

  test('is found, and counted', () => {
    const given = advised({ rateLimit });
    hurts(given);
    expect(given.counts()).toHaveProperty([name], 1);
    expect(given.sandbox.defects).toEqual([]);
  });

  test('is not found in similar requests', () => {
    const given = advised({ rateLimit });
    fine(given);
    expect(given.counts()).not.toHaveProperty([name]);
  });
});

test('an advice has what was found, why it hurts, the rule, and the first and last time', () => {
  const { sandbox, create, account, at } = advised();
  create();
  create(careful);
  at(NOON + 1_000);
  create({ balance: 3 });
  expect(listAdvice({ sandbox, account })).toEqual([
    {
      name: 'create-without-unique-id',
      seen: expect.stringContaining('uniqueId'),
      hurts: expect.stringContaining('uniqueId'),
      rule: 'idempotency.create.unique-id-optional',
      count: 2,
      first: { number: 1, atUtc: '2026-01-15T12:00:00.000Z' },
      last: { number: 3, atUtc: '2026-01-15T12:00:01.000Z' },
    },
  ]);
});

test('a response of the service has no advice', () => {
  const { sandbox, account } = advised();
  const { response } = serveNow(sandbox, request(account.keys[0]?.key, { origin: 'https://shop.example' }));
  expect(response).toEqual({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: '[]', bytes: 2 });
});

test('advice uses the names of the variant', () => {
  const { sandbox, account, send } = sandboxOf([{}], {
    overrides: [
      { rename: 'CreateGiftCardRequest.balance', to: 'amount' },
      { rename: 'CreateGiftCardRequest.uniqueId', to: 'orderId' },
      { rename: 'listGiftCards.pageNumber', to: 'page' },
      { rename: 'listGiftCards.since', to: 'from' },
    ],
  });
  send('POST', '/api/GiftCard/Create', { amount: 0.5 });
  send('POST', '/api/GiftCard/Create', { amount: 0.1 + 0.2 });
  for (const page of [1, 2]) send('GET', `/api/GiftCard/List?page=${page}`);
  send('GET', '/api/GiftCard/List?from=2026-01-01T00:00:00');
  const advice = new Map(listAdvice({ sandbox, account }).map((each) => [each.name, each]));
  expect(advice.get('money-binary-fraction')?.seen).toBe('amount is 0.30000000000000004.');
  expect(advice.get('date-without-zone')?.seen).toMatch(/^The parameter from is /);
  expect(advice.get('create-without-unique-id')).toMatchObject({
    seen: expect.stringContaining('orderId'),
    hurts: expect.stringContaining('orderId'),
  });
  expect(advice.has('list-pages-from-one')).toBe(true);
});

test('a restored account keeps its advice; the snapshot has no secret of a query', async () => {
  const { sandbox, get } = advised();
  get('/api/GiftCard/List?pageSize=none&token=s3cret');
  get('/api/GiftCard/List?since=2026-01-01T00:00:00');
  const snapshot = throughJson(snapshotOfMain(sandbox));
  expect(JSON.stringify(snapshot.journal)).not.toContain('s3cret');
  await restoreAccount(sandbox, 'main', snapshot);
  expect(listAdvice({ sandbox, account: findAccount(sandbox, 'main') })).toMatchObject([{ name: 'date-without-zone', count: 1 }]);
});
