import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { bodySchemaOf, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { applyPlan } from '../../openapi/effective/apply.ts';
import { allOverrides, differing, standardDocument } from '../../openapi/effective/behaviors.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { groupOverrides } from '../../openapi/effective/plan.ts';
import { Translator } from '../../openapi/effective/translate.ts';
import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { serveNow } from '../pipeline/handle.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { varied } from './vary.ts';

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

test('a seed is repeatable, and another seed chooses other options', () => {
  expect(varied(7)).toEqual(varied(7));
  expect(varied(7)).not.toEqual(varied(8));
  expect(differing(varied(7).behaviors).length).toBeGreaterThan(30);
});

test('known options stay and leave the other choices unchanged', () => {
  const behaviors = { 'gift-card.void.body': 'empty' } as const;
  const overrides = [{ rename: 'GiftCard.initialValue', to: 'start' }];
  for (const seed of SEEDS) {
    const free = varied(seed);
    const known = varied(seed, { behaviors, overrides });
    expect(known.behaviors).toEqual({ ...free.behaviors, ...behaviors });
    expect(known.overrides).toEqual(expect.arrayContaining(overrides));
    expect(known.overrides.filter((row) => 'rename' in row && row.rename === 'GiftCard.initialValue')).toHaveLength(1);
  }
});

interface Call {
  readonly id: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly key?: string;
}

const actionedAtUtc = '2026-01-15T11:00:00Z';
const adjusting = { adjustmentAmount: -5, notes: 'till', actionedAtUtc };

type Id = string | number;

/** Accepted and rejected calls of every operation, in the contract's own names. */
const calls = (card: Id, voucher: Id): readonly Call[] => [
  {
    id: 'createGiftCard',
    body: { balance: 20, code: 'A', uniqueId: 'one', recipientEmailAddress: 'ada@example.com', notes: 'hello' },
  },
  { id: 'createGiftCard', body: { balance: 20, code: 'A', uniqueId: 'one' } },
  { id: 'createGiftCard', body: { balance: 0 } },
  { id: 'createGiftCard', body: { balance: 5, sendAsGift: true, shouldSendNotification: true } },
  {
    id: 'createGiftCard',
    body: {
      balance: 5,
      shouldSendNotification: true,
      sendAsGift: true,
      recipientName: 'Ada',
      buyerName: 'Ben',
      recipientEmailAddress: 'ada@example.com',
      giftScheduledForUtc: '2026-02-01T00:00:00Z',
      expiresAtUtc: '2027-01-01T00:00:00Z',
    },
  },
  { id: 'createGiftCard', body: {} },
  { id: 'getGiftCardByCode', values: { code: 'CARD-1' } },
  { id: 'getGiftCardByCode', values: { code: 'none' } },
  { id: 'getGiftCardById', values: { id: String(card) } },
  { id: 'getGiftCardById', values: { id: 'none' } },
  { id: 'getGiftCardsByEmail', values: { emailAddress: 'ada@example.com' } },
  { id: 'getGiftCardsByEmail', values: { emailAddress: 'unknown@example.com' } },
  { id: 'getGiftCardsByEmail' },
  { id: 'getGiftCardByAccountPlatformIdAndSourceId', values: { accountPlatformId: 'shop', sourceId: 'none' } },
  { id: 'getGiftCardByAccountPlatformIdAndSourceId' },
  { id: 'listGiftCards' },
  { id: 'listGiftCards', values: { pageSize: '2', pageNumber: '1', includeAll: 'true', since: '2020-01-01T00:00:00Z' } },
  { id: 'listGiftCards', values: { pageSize: '500', pageNumber: '-1', since: 'yesterday' } },
  { id: 'addAdjustmentByGiftCardCode', body: { ...adjusting, giftCardCode: 'CARD-1', uniqueAdjustmentId: 'a' } },
  { id: 'addAdjustmentByGiftCardCode', body: { ...adjusting, giftCardCode: 'CARD-1', uniqueAdjustmentId: 'a' } },
  { id: 'addAdjustmentByGiftCardCode', body: { ...adjusting, giftCardCode: 'none', uniqueAdjustmentId: 'b' } },
  { id: 'addAdjustmentByGiftCardId', body: { ...adjusting, giftCardId: card, uniqueAdjustmentId: 'c' } },
  { id: 'addAdjustmentByGiftCardId', body: { ...adjusting, adjustmentAmount: -500, giftCardId: card, uniqueAdjustmentId: 'd' } },
  { id: 'addAdjustmentByGiftCardId', body: { ...adjusting, giftCardId: voucher, uniqueAdjustmentId: 'e' } },
  { id: 'addAdjustmentByGiftCardId', body: { ...adjusting, adjustmentAmount: 0, giftCardId: card, uniqueAdjustmentId: 'f' } },
  { id: 'listAdjustmentsByGiftCardCode', values: { code: 'CARD-1' } },
  { id: 'listAdjustmentsByGiftCardId', values: { giftCardId: String(card) } },
  { id: 'listAdjustmentsByGiftCardId', values: { giftCardId: 'none' } },
  {
    id: 'createAutomationTriggerEvent',
    body: { event_name: 'review', recipient_email: 'ada@example.com', idempotency_key: 'k', properties: { stars: '5' } },
  },
  {
    id: 'createAutomationTriggerEvent',
    body: { event_name: 'review', recipient_email: 'ada@example.com', idempotency_key: 'k' },
  },
  { id: 'createAutomationTriggerEvent', body: { event_name: 'review', recipient_email: 'ada@example.com', amount: -1 } },
  { id: 'getCompanyProfile' },
  {
    id: 'createWebhook',
    body: { url: 'https://example.com/hook', description: 'ours', requestHeaderVerificationToken: 'secret' },
  },
  { id: 'createWebhook', body: { url: 'ftp://example.com/hook' } },
  { id: 'listWebhooks' },
  { id: 'deleteWebhook', values: { id: 'none' } },
  { id: 'deleteWebhook', values: { id: 'hook' } },
  {
    id: 'createWebStoreCoupon',
    body: { code: 'C', discountType: 'Percentage', discountValue: 10, usageLimit: 3, isActive: true },
  },
  { id: 'createWebStoreCoupon', body: { code: 'C', discountType: 'Percentage', discountValue: 10 } },
  { id: 'listWebStoreCoupons' },
  { id: 'getWebStoreCouponByCode', values: { code: 'C' } },
  { id: 'getWebStoreCouponById', values: { id: 'coupon' } },
  { id: 'updateWebStoreCoupon', values: { id: 'coupon' }, body: { code: 'D', discountType: 'FixedAmount', discountValue: 1 } },
  { id: 'deleteWebStoreCoupon', values: { id: 'coupon' } },
  { id: 'deleteWebStoreCoupon', values: { id: 'none' } },
  { id: 'voidGiftCardByCode', values: { code: 'CARD-1' } },
  { id: 'voidGiftCardByCode', values: { code: 'CARD-1' } },
  { id: 'voidGiftCardById', values: { id: String(card) } },
  { id: 'voidGiftCardById', values: { id: 'none' } },
  { id: 'addAdjustmentByGiftCardId', body: { ...adjusting, giftCardId: card, uniqueAdjustmentId: 'g' } },
  { id: 'getCompanyProfile', key: 'wrong' },
];

describe.each(SEEDS)('with seed %i', (seed) => {
  const { behaviors, overrides } = varied(seed);

  test('every response matches the effective contract', async () => {
    const shop = sandboxOf(
      [
        {
          cards: [
            { code: 'CARD-1', balance: 50 },
            { code: 'V', kind: 'voucher', balance: 5 },
          ],
          channels: [{ id: 'shop', name: 'Shop' }],
          automations: [{ name: 'Thanks', eventName: 'review', amount: 5 }],
          coupons: [{ code: 'FIRST', discountType: 'Percentage', discountValue: 5 }],
          webhooks: [{ url: 'https://127.0.0.1:1/hook' }],
        },
      ],
      { behaviors, overrides },
    );
    const speaks = clientOf(behaviors, overrides);
    const [card, voucher] = ['CARD-1', 'V'].map((code) => shop.account.state.cardByCode(code)?.id ?? '');
    const [hook] = shop.account.state.webhooks();
    const [coupon] = shop.account.state.coupons();
    const wrong: string[] = [];
    const succeeded = new Set<string>();
    for (const call of calls(card ?? '', voucher ?? '')) {
      const values = { ...call.values };
      if (values.id === 'hook') values.id = hook?.id ?? '';
      if (values.id === 'coupon') values.id = coupon?.id ?? '';
      const { method, target, body } = speaks.request(call.id, values, call.body);
      const response = shop.send(method, target, body, call.key);
      const complaint = speaks.complaint(call.id, response.status, response.mediaType, response.body);
      if (complaint)
        wrong.push(
          `${method} ${target} ${JSON.stringify(body)}: ${response.status} ${JSON.stringify(response.body)}: ${complaint}`,
        );
      if (response.status < 300) succeeded.add(call.id);
    }
    await shop.sandbox.settled();
    expect(shop.sandbox.defects).toEqual([]);
    expect(wrong).toEqual([]);
    expect(succeeded.size).toBeGreaterThan(18);
    shop.account.effects.stop();
  });
});

/** Defects of a request. Pairs of defects test the precedence of refusals. */
const wrongs: Readonly<Record<string, (request: ServiceRequest) => ServiceRequest>> = {
  'a wrong key': (request) => ({ ...request, headers: { ...request.headers, 'x-api-key': 'wrong' } }),
  'a deleted key': (request) => ({ ...request, headers: { ...request.headers, 'x-api-key': 'gone' } }),
  'no known path': (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}/nowhere` }),
  'another method': (request) => ({ ...request, method: 'PATCH' }),
  'a repeated query': (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}?pageSize=x&pageSize=y&id=%zz` }),
  'no JSON': (request) => ({ ...request, body: Buffer.from('{') }),
  'an array': (request) => ({ ...request, body: Buffer.from('[1]') }),
  'no UTF-8': (request) => ({ ...request, body: Buffer.from([0x7b, 0xff, 0x7d]) }),
  'a body of a megabyte and more': (request) => ({ ...request, body: Buffer.alloc(1024 * 1024 + 1, 'x') }),
  'a body that was not kept': (request) => ({ ...request, body: 'too large' }),
  ...Object.fromEntries(
    ['x', -1e300, null, { giftCardCode: { id: [null] } }].map((value) => [
      `nothing but ${JSON.stringify(value)} in its body`,
      (request: ServiceRequest) => ({ ...request, body: filledWith(value, request.body) }),
    ]),
  ),
};

/** Returns a body with the same property names and the names of a card, all with this value. */
function filledWith(value: unknown, body: ServiceRequest['body']): Buffer {
  const names = body instanceof Buffer && body[0] === 0x7b && body.length < 10_000 ? namesIn(body) : [];
  const all = [...names, 'giftCardId', 'giftCardCode', 'id', 'code'];
  return Buffer.from(JSON.stringify(Object.fromEntries(all.map((name) => [name, value]))));
}

function namesIn(body: Buffer): string[] {
  try {
    return Object.keys(JSON.parse(body.toString('utf8')));
  } catch {
    return [];
  }
}

test.each(SEEDS.slice(0, 10))('with seed %i, two defects in one request cause no server error', (seed) => {
  const { behaviors, overrides } = varied(seed);
  const account = { keys: [{ key: 'good' }, { key: 'gone', deleted: true }], cards: [{ code: 'CARD-1', balance: 50 }] };
  const { sandbox } = sandboxOf([account], { behaviors, overrides, rateLimit: 400 });
  const speaks = clientOf(behaviors, overrides);
  const ways = Object.entries(wrongs);
  const broken: string[] = [];
  // Each operation is called once with valid values.
  const validCalls = new Map(calls('none', 'none').map((call) => [call.id, call])).values();
  for (const { id, values = {}, body: given } of validCalls) {
    const { method, target, body } = speaks.request(id, values, given);
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const request = { method, target, headers: { 'x-api-key': 'good' }, body: text };
    for (const [index, [one, first]] of ways.entries()) {
      for (const [other, second] of ways.slice(index)) {
        const { status } = serveNow(sandbox, second(first(request))).response;
        if (status >= 500) broken.push(`${id} with ${one} and ${other}: ${status}`);
      }
    }
  }
  expect(broken).toEqual([]);
  expect(sandbox.defects).toEqual([]);
});

/** Returns a client made from the effective contract. The client builds requests and checks responses. */
function clientOf(behaviors: Behaviors, overrides: readonly Override[]) {
  const plan = groupOverrides(allOverrides(behaviors, overrides));
  const { effective, patched } = applyPlan(standardDocument, plan);
  const { 'x-rules': _, ...wire } = effective;
  const translator = new Translator(patched, plan);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(wire, 'contract');
  const find = (id: string) => {
    const operation = operationsOf(wire).find((each) => each.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    return operation;
  };
  return {
    request(id: string, values: Readonly<Record<string, string>>, body: JsonObject | undefined) {
      const { method, path, node } = find(id);
      let target = path;
      const search = new URLSearchParams();
      const places = plan.places.get(id);
      for (const [name, value] of Object.entries(values)) {
        const wireName = places?.get(name)?.[0] ?? name;
        if (target.includes(`{${wireName}}`)) target = target.replace(`{${wireName}}`, encodeURIComponent(value));
        else search.set(wireName, value);
      }
      if (search.size > 0) target += `?${search}`;
      const before = operationsOf(patched).find((each) => each.id === id)?.node.requestBody;
      const translate = translator.outward(bodySchemaOf(patched, before));
      expect(node.operationId).toBe(id);
      return { method: method.toUpperCase(), target, body: translate && body ? translate(body) : body };
    },
    /** Returns the error in a response, if any. */
    complaint(id: string, status: number, mediaType: string, body: unknown): string | undefined {
      const outside = (wire['x-outside-operations'] ?? {}) as JsonObject;
      const shared = (find(id).node.responses as JsonObject)[String(status)] ?? outside[String(status)];
      if (shared === undefined) return 'the contract has no such status';
      const { content } = resolve(wire, shared);
      if (mediaType === '') return body === '' ? undefined : 'a body without a media type';
      const media = (content as Record<string, JsonObject> | undefined)?.[mediaType];
      if (!media)
        return `the contract has no ${mediaType} there, but ${Object.keys((content as object) ?? {}).join(' and ') || 'nothing'}`;
      const fits = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"contract#/')));
      return fits(body) ? undefined : ajv.errorsText(fits.errors);
    },
  };
}
