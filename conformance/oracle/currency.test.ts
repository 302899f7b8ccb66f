import { describe, expect, test } from 'vitest';
import { card, create, found, get, judged, type Row } from '../testing/exchanges-fixture.ts';

const euro = (code: string) => create(code, 5);
const inOther = (code: string, currency: string): Row => ({ ...get(code, 5), told: { ...card(code, 5), currency } });
const profile = (told: unknown): Row => ({ does: 'getCompanyProfile', told });

describe('the currency of an account', () => {
  test.each<[string, readonly Row[], string, readonly number[]]>([
    ['of one card, by create and by look', [euro('a'), inOther('a', 'USD')], 'gift-card.amounts-in-account-currency', [1, 2]],
    [
      'of a list',
      [euro('a'), { does: 'listGiftCards', told: { giftCards: [{ ...card('a', 5), currency: 'USD' }], totalCount: 1 } }],
      'gift-card.amounts-in-account-currency',
      [1, 2],
    ],
    [
      'of two creates',
      [euro('a'), { ...euro('b'), told: { ...card('b', 5), currency: 'USD' } }],
      'gift-card.create.uses-account-currency',
      [1, 2],
    ],
    [
      'of the profile after a card',
      [euro('a'), profile({ money: { code: 'USD' } })],
      'company.profile-currency-is-of-cards',
      [1, 2],
    ],
    ['of a card after the profile', [profile({ unit: 'USD' }), euro('a')], 'company.profile-currency-is-of-cards', [1, 2]],
  ])('%s', (_, rows, clause, exchanges) => {
    expect(found(rows)).toEqual([['cannot-tell', clause, exchanges]]);
    expect(found(rows, true)).toEqual([['violated', clause, exchanges]]);
  });

  test.each<[string, readonly Row[]]>([
    ['of a profile that names several', [euro('a'), profile({ own: 'EUR', shops: ['USD', 'GBP'] })]],
    ['of one that names several others', [euro('a'), profile({ shops: ['USD', 'GBP'] })]],
    ['of one that names none', [euro('a'), profile({ money: 'Euro' })]],
    ['of cards that have it in small letters', [inOther('a', 'text-eur'), profile({ money: 'EUR' })]],
    ['of two accounts', [euro('a'), { ...inOther('b', 'USD'), key: 'key-2' }]],
  ])('nothing is said %s', (_, rows) => {
    expect(found(rows, true)).toEqual([]);
  });

  const created = 'gift-card.create.uses-account-currency';
  test.each<[string, readonly Row[], number | undefined]>([
    ['by a create alone', [euro('a')], undefined],
    ['by creates alone', [euro('a'), euro('b')], undefined],
    ['by a create and a look before', [euro('a'), get('a', 5), euro('b')], 1],
    ['by a create and the profile before', [profile({ unit: 'EUR' }), euro('a')], 1],
    ['by a create of what other cards do not have', [euro('a'), inOther('a', 'USD'), euro('b')], undefined],
  ])('is held %s', (_, rows, times) => {
    expect(judged(rows).held.get(created)).toBe(times);
  });
});
