import { expect, test } from 'vitest';
import { Recent } from './recent.ts';

test('keys of any length are told apart, and the first gives way first', () => {
  const recent = new Recent<number>(2);
  const long = 'k'.repeat(100_000);
  expect(recent.replace(`${long}a`, 1)).toBeUndefined();
  expect(recent.replace(`${long}b`, 2)).toBeUndefined();
  expect(recent.replace(`${long}a`, 3)).toBe(1);
  recent.replace('short', 4);
  expect([`${long}a`, `${long}b`, 'short'].map((key) => recent.get(key))).toEqual([undefined, 2, 4]);
});
