import { expect, test } from 'vitest';
import { Violation } from '../core/verdict.ts';
import { Untested } from '../safety/policy.ts';
import { profileHasCurrency, showsAnyCurrency } from './currency.ts';

test.each([
  ['its code', { currency: 'NOK' }],
  ['its code in a text about currencies', { currencyText: 'Norwegian krone (NOK)' }],
  ['its code as a name', { accounts: { NOK: {} } }],
])('a profile with %s has the currency of the cards', (_, profile) => {
  expect(() => profileHasCurrency(profile, 'NOK', 'the cards')).not.toThrow();
});

test('a text with a currency sign shows a currency', () => {
  expect(showsAnyCurrency({ money: 'Euro (€)' })).toBe(true);
  expect(showsAnyCurrency({ money: 'none' })).toBe(false);
});

test('a profile with the code of another currency violates the rule', () => {
  expect(() => profileHasCurrency({ currency: 'SEK' }, 'NOK', 'the cards')).toThrow(Violation);
});

test.each(['kr', 'crowns'])('a profile with the currency %s, which is not a code, makes the rule untested', (currency) => {
  expect(() => profileHasCurrency({ currency }, 'NOK', 'the cards')).toThrow(Untested);
});
