import { expect, test } from 'vitest';
import { Held } from './held.ts';

test('what is held is hidden wherever it stands, the longest first, as often as it is there', () => {
  const held = new Held(['sandbox-key', 'sandbox-key-2', 'a/b "c" d e']);
  expect(held.hidden('x sandbox-key-2sandbox-key, sandbox-keysandbox-ke')).toBe('x ******, ***sandbox-ke');
  expect(held.hidden('/a%2Fb%20%22c%22%20d%20e?')).toBe('/***?');
  expect(held.hidden('{"x":"a/b \\"c\\" d e"}', '$')).toBe('{"x":"$"}');
});

test('a short one only where it stands by itself, an empty one never', () => {
  const held = new Held(['', 'abc']);
  expect(held.hidden('abc abcd xabc "abc" abc')).toBe('*** abcd xabc "***" ***');
  expect(held.hidden('')).toBe('');
});

test('what comes later is hidden too, and what is gone no longer', () => {
  const held = new Held(['sandbox-key']);
  held.add('sandbox-key-2 & more');
  expect(held.hidden('sandbox-key-2%20%26%20more sandbox-key')).toBe('*** ***');
  held.remove('sandbox-key-2 & more');
  expect(held.hidden('sandbox-key-2 & more')).toBe('***-2 & more');
});
