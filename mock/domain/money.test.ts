import fc from 'fast-check';
import { expect, test } from 'vitest';
import { format, plus, roundedToMinor, toAmount, toMinor } from './money.ts';

test('every amount of cents survives the way to the wire and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (cents) => {
      const wire = JSON.parse(JSON.stringify(toAmount(cents, 'USD'))) as number;
      expect(toMinor(wire, 'USD')).toBe(cents);
    }),
  );
});

test.each([
  ['USD', 0.1 + 0.2],
  ['USD', 1.005],
  ['JPY', 0.5],
  ['KWD', 0.0001],
  ['USD', 1e300],
  ['USD', 1e-9],
])('%s cannot hold %d', (currency, amount) => {
  expect(toMinor(amount, currency)).toBeUndefined();
});

test('0.10 added a hundred times is 10.00', () => {
  let balance = 0;
  for (let i = 0; i < 100; i++) balance = plus(balance, toMinor(0.1, 'USD') ?? 0) ?? 0;
  expect(toAmount(balance, 'USD')).toBe(10);
});

test('a sum past the exact integers is refused', () => {
  expect(plus(Number.MAX_SAFE_INTEGER, 1)).toBeUndefined();
});

test('amounts are written as the account reads them', () => {
  expect(format(123450, 'USD', 'en-US')).toBe('$1,234.50');
  expect(format(500, 'JPY', 'en-US')).toBe('¥500');
});

test.each([
  [1.005, 'USD', 101],
  [-1.005, 'USD', -101],
  [1.004, 'USD', 100],
  [1e-7, 'USD', 0],
  [0.5, 'JPY', 1],
  [1.2345, 'KWD', 1235],
  [9e15, 'USD', undefined],
  [1e21, 'JPY', undefined],
])('%d %s is rounded as it is written, half of a unit away from zero', (amount, currency, expected) => {
  expect(roundedToMinor(amount, currency)).toBe(expected);
});
