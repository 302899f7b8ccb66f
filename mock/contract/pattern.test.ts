import { expect, test } from 'vitest';
import { patternOf } from './pattern.ts';

test.each([
  ['^[A-Z]{4}-\\d{4}$', 'ABCD-0123', 'ABCD-012'],
  ['^(?:[A-Za-z0-9-]{1,20})$', 'a-1', 'a_1'],
  ['^(?:.+)$', 'Ü😀', ''],
  ['^(GIFT|CARD)-\\p{Lu}+$', 'GIFT-Ü', 'GIFT-ü'],
  ['^\\u0041|\\u{1F600}+$', 'A', 'a'],
  ['^(?<year>\\d{4})(/\\d+)?$', '2026/1', '2026/'],
])('%s matches %j, and does not match %j', (source, matching, other) => {
  const pattern = patternOf(source);
  expect([pattern.test(matching), pattern.test(other)]).toEqual([true, false]);
});

test.each(['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', 'a*a*a*a*a*b$', 'a*b', 'a+$'])('%s takes linear time', (source) => {
  const started = performance.now();
  expect(patternOf(source).test(`${'a'.repeat(100_000)}!`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each(['(a', '(?!a)(b)+', '(?<=a)b+', '(a+)\\1'])('%s is refused', (source) => {
  expect(() => patternOf(source)).toThrow(SyntaxError);
});
