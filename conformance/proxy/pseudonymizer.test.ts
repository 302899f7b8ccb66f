import { expect, test } from 'vitest';
import type { Passed } from './passed.ts';
import { Veil } from './pseudonymizer.ts';
import { seenIn } from './seen.ts';

const seen = (method: string, target: string, body?: unknown, veil = new Veil('salt')) =>
  seenIn(
    {
      ...{ began: 1, ended: 2, at: 0, ms: 1, method, target, lost: undefined },
      headers: new Map(),
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      answer: undefined,
    } satisfies Passed,
    1,
    veil,
  );
const text = (value: unknown) => JSON.stringify(value);

test.each([
  ['/api/GiftCard/List?includeAll=ABCD1234EFGH', 'ABCD1234EFGH'],
  ['/api/GiftCard/List?pageSize=ABCD1234EFGH', 'ABCD1234EFGH'],
  ['/api/GiftCard/List?pageNumber=60349999', '60349999'],
  ['/api/GiftCard/List?SECRETCODE9=1', 'SECRETCODE9'],
  ['/api/GiftCard/List?xZqSECRET=1', 'xZqSECRET'],
  ['/api/GiftCard/GetById/6034', '6034'],
])('of the query %s nothing is kept that may be a code', (target, secret) => {
  expect(text(seen('GET', target))).not.toContain(secret);
});

test.each([
  [{ code: 12345678901 }, '12345678901'],
  [{ cardNumber: 603499 }, '603499'],
  [{ anything: 6034999900001234 }, '6034999900001234'],
  [{ id: 7654 }, '7654'],
  [{ properties: { Secretword: 'x', ok: 'y' } }, 'Secretword'],
  [{ SECRETCODE: 1 }, 'SECRETCODE'],
])('nor of the body %j', (body, secret) => {
  expect(text(seen('POST', '/api/GiftCard/Create', body))).not.toContain(secret);
});

test('what says what an exchange is like is kept', () => {
  const card = { balance: 5, initialValue: 20_000_000_000, customField1: 'true', gift_card: 1.5, PDFUrl: null, totalCount: 12 };
  expect(seen('POST', '/api/GiftCard/Create', card).body).toMatchObject({ json: card });
  const query = { pageSize: '10', pageNumber: '0', includeAll: 'True', since: '2026-01-01T00:00:00Z' };
  expect(seen('GET', `/api/GiftCard/List?${new URLSearchParams(query)}`).parameters).toEqual(query);
});

test('an ID that is a number has one name, wherever it stands and however it is written', () => {
  const veil = new Veil('salt');
  const made = veil.json({ id: 17, code: '17', balance: 17 }) as { id: number; code: string; balance: number };
  const asked = { adjustmentAmount: 17, actionedAtUtc: '2026-01-01T00:00:00Z', uniqueAdjustmentId: 'u' };
  const byNumber = seen('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { ...asked, card: 17 }, veil);
  const byText = seen('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { ...asked, card: '17' }, veil);
  expect([made.balance, typeof made.id, made.code]).toEqual([17, 'number', expect.stringMatching(/^text-/)]);
  expect(veil.json({ giftCardId: 17 })).toEqual({ giftCardId: made.id });
  expect(byNumber.body).toMatchObject({ json: { card: made.id, adjustmentAmount: 17 } });
  expect(byText.body).toMatchObject({ json: { card: String(made.id) } });
  expect(seen('GET', '/api/GiftCard/GetById/17', undefined, veil).parameters).toEqual({ id: String(made.id) });
});

test('a code that is called like a property hides no name of the contract', () => {
  const veil = new Veil('salt');
  expect(veil.code('status')).not.toBe('status');
  expect(veil.json({ status: 'Active', note: 'status' })).toMatchObject({ status: 'Active', note: veil.code('status') });
});

test.each([
  ['/api/GiftCard/List?pageSize=20', undefined],
  ['/api/GiftCard/List?PageSize=20', true],
  ['/api/GiftCard/GetByEmail?emailaddress=a%40example.com', true],
])('whether %s names a parameter in another letter case: %s', (target, doubtful) => {
  expect(seen('GET', target).doubtful).toBe(doubtful);
});

test('figures are veiled alike wherever they stand, before and after they were seen in the place of a code', () => {
  const veil = new Veil('salt');
  const asked = veil.json({ customField1: '1234', notes: '1234', code: '1234', customField2: '5.50' }) as Record<string, string>;
  const told = veil.json({ customField1: '1234', rows: [{ text: '1234' }], code: '1234', customField2: '5.50' });
  expect(asked.customField1).toMatch(/^text-/);
  expect(told).toEqual({
    customField1: asked.code,
    rows: [{ text: asked.notes }],
    code: asked.code,
    customField2: asked.customField2,
  });
  veil.code('5.50');
  expect(veil.json({ customField2: '5.50' })).toEqual({ customField2: asked.customField2 });
});
