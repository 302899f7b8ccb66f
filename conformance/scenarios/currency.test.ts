import { expect, test } from 'vitest';
import { Untested, Violation } from '../core/verdict.ts';
import { profileHasCurrency } from './currency.ts';

test.each([
  ['its code', { currency: 'NOK' }],
  ['its symbol', { currency: 'kr' }],
  ['its code in a text about currencies', { currencyText: 'Norwegian krone (NOK)' }],
  ['its code as a name', { accounts: { NOK: {} } }],
])('a profile with %s has the currency of the cards', (_, profile) => {
  expect(() => profileHasCurrency(profile, 'NOK', 'the cards')).not.toThrow();
});

test.each([
  ['code', { currency: 'SEK' }],
  ['symbol', { currency: '€' }],
  ['symbol under any name', { money: '€' }],
])('a profile with the %s of another currency violates the clause', (_, profile) => {
  expect(() => profileHasCurrency(profile, 'NOK', 'the cards')).toThrow(Violation);
});

test('a currency that is neither a code nor a symbol makes the clause untested', () => {
  expect(() => profileHasCurrency({ currency: 'crowns' }, 'NOK', 'the cards')).toThrow(Untested);
});
