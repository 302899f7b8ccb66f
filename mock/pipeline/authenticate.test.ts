import { describe, expect, test } from 'vitest';
import contract from '../../openapi/generated/contract.json' with { type: 'json' };
import { type SandboxFixture, sandboxOf } from '../testing/fixture.ts';
import { serveNow } from './handle.ts';

const KEY = 'sandbox-key-main-not-a-real-key';

/** Every operation, with names of records that do not exist. */
const everyOperation = Object.entries(contract.paths).flatMap(([template, item]) =>
  Object.keys(item).map((method): [method: string, path: string] => [method.toUpperCase(), template.replace(/\{\w+\}/, 'none')]),
);

/** A request with exactly these headers. */
function statusWith({ sandbox }: SandboxFixture, method: string, target: string, headers: Record<string, string | string[]>) {
  return serveNow(sandbox, { method, target, headers, body: undefined }).response.status;
}

const accounts = [
  { keys: [{ key: KEY }, { key: 'deleted-key', deleted: true }, { key: 'second-key' }] },
  { id: 'basic', plan: 'Basic' as const, keys: [{ key: 'basic-key' }] },
  { id: 'pro', plan: 'Pro' as const, keys: [{ key: 'pro-key' }] },
  { id: 'plus', plan: 'Plus' as const, keys: [{ key: 'plus-key' }] },
  { id: 'enterprise', plan: 'Enterprise' as const, keys: [{ key: 'enterprise-key' }] },
  { id: 'lapsed', subscriptionActive: false, keys: [{ key: 'lapsed-key' }] },
];

describe('every endpoint', () => {
  test.each([
    ['authentication.missing-key-is-401', null],
    ['authentication.missing-key-is-401', ''],
    ['authentication.wrong-key-is-401', 'no-such-key'],
    ['authentication.wrong-key-is-401', KEY.toUpperCase()],
    ['authentication.wrong-key-is-401', `${KEY}, ${KEY}`],
    ['authentication.wrong-key-is-401', '__proto__'],
    ['authentication.deleted-key-is-401', 'deleted-key'],
    ['authentication.basic-plan-refused', 'basic-key'],
  ])('%s: refuses the key %s', (_, key) => {
    const fixture = sandboxOf(accounts);
    expect(everyOperation).toHaveLength(23);
    for (const [method, path] of everyOperation) {
      expect(fixture.send(method, path, undefined, key), path).toMatchObject({ status: 401, mediaType: 'text/plain' });
    }
  });

  test.each([
    ['authentication.paid-plans-admitted', 'pro-key'],
    ['authentication.paid-plans-admitted', 'plus-key'],
    ['authentication.paid-plans-admitted', 'enterprise-key'],
    ['authentication.inactive-subscription', 'lapsed-key'],
    ['every key of an account', 'second-key'],
  ])('%s: admits %s', (_, key) => {
    const fixture = sandboxOf(accounts);
    for (const [method, path] of everyOperation) {
      expect([200, 400, 404], path).toContain(fixture.send(method, path, undefined, key).status);
    }
    expect(fixture.send('POST', '/api/GiftCard/Create', { balance: 1 }, key).status).toBe(200);
  });
});

test('authentication.inactive-subscription: refuses its keys if the behavior is refused', () => {
  const fixture = sandboxOf(accounts, { behaviors: { 'authentication.inactive-subscription': 'refused' } });
  expect(fixture.send('GET', '/api/GiftCard/List', undefined, 'lapsed-key').status).toBe(401);
  expect(fixture.send('GET', '/api/GiftCard/List', undefined, 'pro-key').status).toBe(200);
});

test('authentication.key-is-in-header: a key elsewhere is ignored', () => {
  const fixture = sandboxOf(accounts);
  expect(statusWith(fixture, 'GET', '/api/GiftCard/List', { 'x-api-key': KEY })).toBe(200);
  expect(statusWith(fixture, 'GET', `/api/GiftCard/List?x-api-key=${KEY}`, {})).toBe(401);
  expect(statusWith(fixture, 'GET', '/api/GiftCard/List', { authorization: `Bearer ${KEY}` })).toBe(401);
  expect(statusWith(fixture, 'GET', '/api/GiftCard/List', { cookie: `x-api-key=${KEY}` })).toBe(401);
  expect(statusWith(fixture, 'GET', '/api/GiftCard/List', { 'x-api-key': [KEY] })).toBe(401);
});

describe('two accounts', () => {
  const two = () => {
    const fixture = sandboxOf([{}, { id: 'two' }]);
    return { ...fixture, key: fixture.sandbox.accounts.get('two')?.keys[0]?.key as string };
  };

  test('authentication.key-of-other-account, authentication.key-acts-on-its-own-account: a key acts on its own account alone', () => {
    const { sandbox, send, key } = two();
    expect(send('POST', '/api/GiftCard/Create', { balance: 5, code: 'TWO-1' }, key).status).toBe(200);
    expect(send('POST', '/api/Webhook/Create', { url: 'https://two.example' }, key).status).toBe(200);
    const [one] = sandbox.accounts.values();
    expect([one?.state.count(true), [...(one?.state.webhooks() ?? [])].length]).toEqual([0, 0]);
    expect(sandbox.accounts.get('two')?.state.count(true)).toBe(1);
  });

  test('authentication.foreign-record-is-404: is not found, and is unchanged', () => {
    const { send, create, key } = two();
    const { id, code } = create();
    const webhook = send('POST', '/api/Webhook/Create', { url: 'https://one.example' }).body;
    const adjustment = { adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'one' };
    const foreign: [string, string, object?][] = [
      ['GET', `/api/GiftCard/GetByCode/${code}`],
      ['GET', `/api/GiftCard/GetById/${id}`],
      ['DELETE', `/api/GiftCard/VoidByCode/${code}`],
      ['DELETE', `/api/GiftCard/VoidById/${id}`],
      ['GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`],
      ['GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardId/${id}`],
      ['POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: code, ...adjustment }],
      ['POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { giftCardId: id, ...adjustment }],
      ['DELETE', `/api/Webhook/Delete/${webhook.id}`],
    ];
    for (const [method, path, body] of foreign) {
      expect(send(method, path, body, key), path).toMatchObject({ status: 404, mediaType: 'text/plain' });
    }
    expect(send('GET', `/api/GiftCard/GetById/${id}`).body).toMatchObject({ status: 'Active', balance: 25 });
    expect(send('GET', '/api/Webhook/List').body).toEqual([webhook]);
  });

  test('authentication.lists-own-records-only: in lists and searches', () => {
    const { send, create, key } = two();
    create({ recipientEmailAddress: 'ada@example.com' });
    send('POST', '/api/Webhook/Create', { url: 'https://one.example' });
    expect(send('GET', '/api/GiftCard/List', undefined, key).body).toEqual({ giftCards: [], totalCount: 0 });
    expect(send('GET', '/api/GiftCard/GetByEmail?emailAddress=ada@example.com', undefined, key).body).toEqual([]);
    expect(send('GET', '/api/Webhook/List', undefined, key).body).toEqual([]);
  });
});
