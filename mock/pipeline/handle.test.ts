import { describe, expect, test, vi } from 'vitest';
import { operations } from '../operations/operations.ts';
import { NOON, type SandboxFixture, sandboxOf } from '../testing/fixture.ts';
import type { ServiceRequest, ServiceResponse } from './exchange.ts';
import { serveNow } from './handle.ts';

const KEY = 'sandbox-key-main-not-a-real-key';

/** A valid request with these changes. */
function response({ sandbox }: Pick<SandboxFixture, 'sandbox'>, given: Partial<ServiceRequest> = {}): ServiceResponse {
  const body = Buffer.from(JSON.stringify({ balance: 25 }));
  return serveNow(sandbox, { method: 'POST', target: '/api/GiftCard/Create', headers: { 'x-api-key': KEY }, body, ...given })
    .response;
}

describe('of several refusals the first one is the response', () => {
  const malformed = Buffer.from('{');
  const nowhere = { method: 'GET', target: '/api/Nowhere', body: undefined };

  /** A sandbox whose first account has used up its rate limit. */
  function exhausted() {
    const fixture = sandboxOf([{}], { rateLimit: 1 });
    fixture.send('GET', '/api/GiftCard/List');
    return fixture;
  }

  test.each([
    ['a body too large before the key', { body: 'too large' as const, headers: {} }, 413],
    ['a body too large before the path', { body: 'too large' as const, target: '/api/Nowhere' }, 413],
    ['a body too large before the rate', { body: 'too large' as const }, 413],
    ['a missing key before the rate', { headers: {} }, 401],
    ['a wrong key before the path', { ...nowhere, headers: { 'x-api-key': 'wrong' } }, 401],
    ['a wrong key before the method', { method: 'PATCH', headers: { 'x-api-key': 'wrong' } }, 401],
    ['a wrong key before the body', { body: malformed, headers: { 'x-api-key': 'wrong' } }, 401],
    ['the rate before the path', nowhere, 429],
    ['the rate before the method', { method: 'PATCH' }, 429],
    ['the rate before the body', { body: malformed }, 429],
    ['the rate before the record', { method: 'GET', target: '/api/GiftCard/GetById/none', body: undefined }, 429],
  ])('%s', (_, given, status) => {
    const refusal = response(exhausted(), given);
    expect(refusal.status).toBe(status);
    expect(refusal.headers).toEqual({ 'content-type': 'text/plain; charset=utf-8' });
  });

  test.each([
    ['the path before the body', { target: '/api/Nowhere', body: malformed }, 404],
    ['the method before the body', { method: 'PATCH', body: malformed }, 405],
    ['the request before the record', { target: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode' }, 400],
  ])('%s', (_, given, status) => {
    expect(response(sandboxOf(), given).status).toBe(status);
  });

  test('due events run first: a card is expired for a request at the time of its expiry', () => {
    const { create, adjust, at } = sandboxOf();
    const { code } = create({ expiresAtUtc: '2026-01-15T12:00:01Z' });
    at(NOON + 999);
    expect(adjust(code, 1).status).toBe(200);
    at(NOON + 1000);
    expect(adjust(code, 1).status).toBe(400);
  });
});

test('every endpoint responds, with state', () => {
  const { account, send } = sandboxOf([
    { automations: [{ name: 'Thanks', eventName: 'reviewed', amount: 5 }], cards: [{ code: 'A-1', initialValue: 10 }] },
  ]);
  const card = send('POST', '/api/GiftCard/Create', {
    balance: 25,
    code: 'NEW-1',
    recipientEmailAddress: 'ada@example.com',
  }).body;
  const adjustment = (uniqueAdjustmentId: string) => ({
    adjustmentAmount: -5,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId,
  });
  const source = account.state.listing('online-store', account.state.cardByCode('A-1')?.id as string)?.sourceId;
  const coupon = { code: 'TEN', discountType: 'Percentage', discountValue: 10 };
  const webhook = send('POST', '/api/Webhook/Create', { url: 'https://hooks.example', description: 'Mine' }).body;
  const { id } = send('POST', '/api/WebStoreCoupon/Create', coupon).body;
  const rows: [method: string, path: string, body: object | undefined, response: unknown][] = [
    ['GET', 'GiftCard/GetByCode/NEW-1', undefined, { id: card.id, balance: 25 }],
    ['GET', `GiftCard/GetById/${card.id}`, undefined, { code: 'NEW-1' }],
    ['GET', 'GiftCard/GetByEmail?emailAddress=ada@example.com', undefined, [{ id: card.id }]],
    [
      'GET',
      `GiftCard/GetByAccountPlatformIdAndSourceId?accountPlatformId=online-store&sourceId=${source}`,
      undefined,
      { code: 'A-1' },
    ],
    ['POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: 'NEW-1', ...adjustment('one') }, true],
    ['POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardId', { giftCardId: card.id, ...adjustment('two') }, true],
    [
      'GET',
      'GiftCardAdjustment/ListAdjustmentsByGiftCardCode/NEW-1',
      undefined,
      { giftCard: { balance: 15 }, adjustments: [{}, {}] },
    ],
    ['GET', `GiftCardAdjustment/ListAdjustmentsByGiftCardId/${card.id}`, undefined, { adjustments: [{ amount: -5 }, {}] }],
    ['DELETE', 'GiftCard/VoidByCode/NEW-1', undefined, { status: 'Voided', balance: 0 }],
    ['DELETE', `GiftCard/VoidById/${account.state.cardByCode('A-1')?.id}`, undefined, { status: 'Voided', code: 'A-1' }],
    ['GET', 'GiftCard/List', undefined, { giftCards: [{ code: 'A-1' }, { code: 'NEW-1' }], totalCount: 2 }],
    [
      'POST',
      'AutomationTriggerEvents',
      { event_name: 'reviewed', recipient_email: 'ada@example.com' },
      { gift_cards: [{ balance: 5 }], automations: [{ status: 'Created' }] },
    ],
    ['GET', 'Webhook/List', undefined, [webhook]],
    ['DELETE', `Webhook/Delete/${webhook.id}`, undefined, true],
    ['GET', 'WebStoreCoupon/List', undefined, [{ id }]],
    ['GET', `WebStoreCoupon/GetById/${id}`, undefined, { id }],
    ['GET', 'WebStoreCoupon/GetByCode/TEN', undefined, { id }],
    ['PUT', `WebStoreCoupon/Update/${id}`, { ...coupon, discountValue: 12 }, { discountValue: 12 }],
    ['DELETE', `WebStoreCoupon/Delete/${id}`, undefined, true],
  ];
  for (const [method, path, body, wanted] of rows) {
    const { status, mediaType, body: given } = send(method, `/api/${path}`, body);
    expect([status, mediaType], `${method} ${path}: ${JSON.stringify(given)}`).toEqual([200, 'application/json']);
    if (typeof wanted === 'object') expect(given, path).toMatchObject(wanted as object);
    else expect(given, path).toBe(wanted);
  }
});

test('company.profile-succeeds, company.profile-currency-is-of-cards: the business, its currency and its time zone', () => {
  const profile = {
    name: 'Lda',
    currency: 'EUR',
    timeZone: 'Europe/Lisbon',
    country: 'PT',
    email: 'a@lda.example',
    website: 'https://lda.example',
  };
  const { send, create } = sandboxOf([profile]);
  expect(send('GET', '/api/Company/Profile')).toEqual({ status: 200, mediaType: 'application/json', body: profile });
  expect(create().currency).toBe('EUR');
});

describe('errors.refusal-changes-nothing: a refused request', () => {
  const adjustment = {
    giftCardCode: 'A-1',
    adjustmentAmount: -5,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId: 'used',
  };
  test.each<[string, string, unknown]>([
    ['POST', '/api/GiftCard/Create', { balance: -1, shouldSendNotification: true }],
    ['POST', '/api/GiftCard/Create', { balance: 1, code: 'A-1', shouldSendNotification: true }],
    ['POST', '/api/GiftCard/Create', { balance: 1, sendAsGift: true, shouldSendNotification: true }],
    ['POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', adjustment],
    [
      'POST',
      '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
      { ...adjustment, giftCardCode: 'VOUCHER-1', uniqueAdjustmentId: 'x' },
    ],
    ['POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { ...adjustment, giftCardId: '', uniqueAdjustmentId: 'x' }],
    ['POST', '/api/Webhook/Create', { url: 'http://elsewhere.example' }],
    ['POST', '/api/AutomationTriggerEvents', { event_name: 'reviewed' }],
    ['DELETE', '/api/GiftCard/VoidByCode/NONE-1', undefined],
    ['DELETE', '/api/Webhook/Delete/none', undefined],
  ])('%s %s %j', async (method, path, body) => {
    const fixture = sandboxOf([
      {
        automations: [{ name: 'Thanks', eventName: 'reviewed', amount: 5 }],
        webhooks: [{ url: 'http://127.0.0.1:9/' }],
        cards: [
          { code: 'A-1', initialValue: 10, adjustments: [{ amount: -1, uniqueAdjustmentId: 'used' }] },
          { code: 'VOUCHER-1', kind: 'voucher', initialValue: 5 },
        ],
      },
    ]);
    const { account, send } = fixture;
    const commit = vi.spyOn(account, 'load');
    const before = send('GET', '/api/GiftCard/List').body;
    expect([400, 404]).toContain(send(method, path, body).status);
    await fixture.sandbox.settled();
    expect(send('GET', '/api/GiftCard/List').body).toEqual(before);
    expect(commit.mock.calls.flat(2)).toEqual([]);
    expect([account.effects.outbox.all(), account.effects.deliveries.all(), account.effects.suppressed.all()]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('a defect of the mock', () => {
  const broken: [string, () => unknown][] = [
    [
      'an operation that throws',
      () => {
        throw new Error('broken on purpose');
      },
    ],
    ['a response that violates the contract', () => ({ response: { id: 7 }, changes: [], effects: [] })],
    ['no outcome at all', () => undefined],
  ];
  test.each(broken)('%s is 500, and changes nothing', (_, operation) => {
    const fixture = sandboxOf();
    const { sandbox, send, create } = fixture;
    const card = create();
    const spied = vi.spyOn(operations, 'getCompanyProfile').mockImplementation(operation as never);
    try {
      const { status, mediaType, body } = send('GET', '/api/Company/Profile');
      expect([status, mediaType]).toEqual([500, 'text/plain']);
      expect(body).not.toContain('purpose');
    } finally {
      spied.mockRestore();
    }
    expect(sandbox.defects).toHaveLength(1);
    expect(sandbox.defects[0]).toContain('GET /api/Company/Profile');
    expect(send('GET', '/api/Company/Profile').status).toBe(200);
    expect(send('GET', '/api/GiftCard/List').body).toEqual({ giftCards: [card], totalCount: 1 });
  });

  test('a card that violates the contract is not committed, nor is the rest of its decision', () => {
    const { sandbox, account, send, create } = sandboxOf();
    const card = create();
    const { code } = card;
    const record = account.state.card(card.id);
    const spied = vi.spyOn(operations, 'voidGiftCardByCode').mockImplementation(() => ({
      response: {} as never,
      changes: [
        { table: 'coupons', put: { id: 'x' } as never },
        { table: 'cards', put: { ...record, status: 'Lost' } as never },
      ],
      effects: [{ kind: 'push', card: record as never }],
    }));
    expect(send('DELETE', `/api/GiftCard/VoidByCode/${code}`).status).toBe(500);
    spied.mockRestore();
    expect(sandbox.defects).toHaveLength(1);
    expect(send('GET', '/api/WebStoreCoupon/List').body).toEqual([]);
    expect(send('GET', `/api/GiftCard/GetById/${card.id}`).body).toEqual(card);
  });
});

test('a delivery that cannot be created is a defect, and the request gets a response', async () => {
  const { sandbox, account, send, create } = sandboxOf([{ webhooks: [{ url: 'http://127.0.0.1:9/' }] }]);
  const { code } = create();
  vi.spyOn(account.effects.deliveries, 'create').mockImplementation(() => {
    throw new Error('broken on purpose');
  });
  expect(send('DELETE', `/api/GiftCard/VoidByCode/${code}`)).toMatchObject({ status: 200, body: { status: 'Voided' } });
  expect(sandbox.defects).toHaveLength(1);
  await account.effects.settled();
  expect(account.state.listing('online-store', account.state.cardByCode(code)?.id as string)?.balance).toBe(0);
});

test('responses have no headers of the sandbox, only a content type', () => {
  const fixture = sandboxOf();
  for (const given of [{}, { headers: {} }, { target: '/api/Nowhere' }, { body: Buffer.from('{') }]) {
    expect(Object.keys(response(fixture, given).headers)).toEqual(['content-type']);
  }
  const version = { 'x-api-key': KEY, 'api-version': '7', accept: 'application/xml', 'accept-language': 'de' };
  expect(response(fixture, { headers: version }).status).toBe(200);
});
