import { expect, test } from 'vitest';
import { Pseudonymizer } from './pseudonymizer.ts';

const pseudonymizer = new Pseudonymizer('salt');
const create = (body: unknown) => pseudonymizer.body(body, 'createGiftCard') as Record<string, unknown>;

test.each<[string, string]>([
  ['/api/GiftCard/GetByCode/ABCD-1234', 'ABCD-1234'],
  ['/api/GiftCard/GetByCode/AB%2BCD', 'AB%2BCD'],
  ['/api/GiftCard/GetById/6034', '6034'],
  ['/api/giftcard/getbycode/ABCD1234', 'ABCD1234'],
  ['/api/GiftCard/GetByCode/2026-01-31', '2026-01-31'],
  ['/ABCD1234/api', 'ABCD1234'],
  ['/api/GiftCard/GetByEmail?emailAddress=jo@shop.example', 'jo'],
  ['/api/GiftCard/List?includeAll=ABCD1234EFGH', 'ABCD1234EFGH'],
  ['/api/GiftCard/List?pageNumber=60349999', '60349999'],
  ['/api/GiftCard/List?SECRETCODE9=1', 'SECRETCODE9'],
])('the target %s does not show %s', (target, secret) => {
  expect(pseudonymizer.target('GET', target)).not.toContain(secret);
});

test.each<[unknown, string]>([
  [{ code: 'SUMMER-1' }, 'SUMMER-1'],
  [{ code: 12345678901 }, '12345678901'],
  [{ cardNumber: 603499 }, '603499'],
  [{ giftCardCode: 4711 }, '4711'],
  [{ Code: '2026-01-31' }, '2026-01-31'],
  [{ code: '25.00' }, '25.00'],
  [{ giftCardCode: 'Redeemed' }, 'Redeemed'],
  [{ anything: 6034999900001234 }, '6034999900001234'],
  [{ id: 7654 }, '7654'],
  [{ recipientEmailAddress: 'jo@shop.example' }, 'shop'],
  [{ viewBalanceUrl: 'https://shop.example/b/77' }, 'shop'],
  [{ notes: 'for Jo' }, 'Jo'],
  [{ properties: { Secretword: 'x' } }, 'Secretword'],
  [{ SECRETCODE: 1 }, 'SECRETCODE'],
  ['a text alone', 'alone'],
])('the body %j does not show %s', (body, secret) => {
  expect(JSON.stringify(create(body))).not.toContain(secret);
});

test('numbers, times and words of the contract are shown', () => {
  const body = {
    balance: 5,
    customField1: 'true',
    gift_card: 1.5,
    status: 'Active',
    currency: 'EUR',
    currencyCode: 'EUR',
    statusCode: 200,
    at: '2026-01-01T00:00:00Z',
    amount: '-5.00',
    none: null,
  };
  expect(create(body)).toEqual(body);
  const target = '/api/GiftCard/List?pageSize=10&pageNumber=0&includeAll=True&since=2026-01-01T00%3A00%3A00Z';
  expect(pseudonymizer.target('GET', target)).toBe(target);
});

test('equal values have equal pseudonyms, and other letter cases stay other letter cases', () => {
  const [one, same, other, unlike] = ['Summer-1', 'Summer-1', 'SUMMER-1', 'Winter-1'].map((code) =>
    String(create({ code }).code),
  );
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  expect(other?.toLowerCase()).toBe(one?.toLowerCase());
  expect(unlike?.toLowerCase()).not.toBe(one?.toLowerCase());
  expect(create({ code: ' Summer-1 ' }).code).toBe(` ${one} `);
  expect(pseudonymizer.target('GET', '/api/GiftCard/GetByCode/Summer-1')).toBe(`/api/GiftCard/GetByCode/${one}`);
  expect(new Pseudonymizer('other').body({ code: 'Summer-1' }, undefined)).not.toEqual({ code: one });
});

test('an ID has one pseudonym as a number, as a text and in the path, under any name', () => {
  const { id } = create({ id: 17 });
  const adjustment = { adjustmentAmount: 17, uniqueAdjustmentId: 'u', card: '17' };
  const shown = pseudonymizer.body(adjustment, 'addAdjustmentByGiftCardId');
  expect(id).toEqual(expect.any(Number));
  expect(shown).toMatchObject({ adjustmentAmount: 17, card: String(id) });
  expect(pseudonymizer.target('GET', '/api/GiftCard/GetById/17')).toBe(`/api/GiftCard/GetById/${id}`);
});

test('a URL stays a URL, and an address an address', () => {
  expect(create({ url: 'http://shop.example/' }).url).toMatch(/^http:\/\/hidden\.invalid\/[a-z]{16}$/i);
  expect(create({ recipientEmailAddress: 'jo@shop.example' }).recipientEmailAddress).toMatch(/^[a-z]{16}@hidden\.example$/i);
});
