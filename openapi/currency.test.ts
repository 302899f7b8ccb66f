import { expect, test } from 'vitest';
import { decimalsOf } from './currency.ts';

test('the number of decimals is that of ISO 4217 in every version of Node', () => {
  const currencies = ['USD', 'KWD', 'JPY', 'jpy', 'CLF', 'kr', undefined];
  expect(currencies.map(decimalsOf)).toEqual([2, 3, 0, 0, 4, 2, 2]);
  expect(['HUF', 'RSD', 'IDR', 'PKR', 'COP'].map(decimalsOf)).toEqual([2, 2, 2, 2, 2]);
});
