import { expect, test } from 'vitest';
import { decodedOf } from './decoded.ts';

test.each([
  ['shop%20one', 'shop one'],
  ['%E0%A4%A', '%E0%A4%A'],
  ['%ff', '%ff'],
])('%s in an address is %s', (part, decoded) => {
  expect(decodedOf(part)).toBe(decoded);
});
