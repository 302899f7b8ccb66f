import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNoticing } from './repeated.ts';

/** As JSON.parse, which is held against it as text, since -0 is written as 0. */
function sameAsParsed(text: string): void {
  const { first, repeated } = parseNoticing(text);
  expect(repeated).toBeUndefined();
  expect(JSON.stringify(first)).toBe(JSON.stringify(JSON.parse(text)));
}

test('http.repeated-property: what names nothing twice is read as JSON.parse reads it, however it is spaced', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2, '\t'), (text, space) => {
      sameAsParsed(text);
      sameAsParsed(JSON.stringify(JSON.parse(text), null, space));
    }),
  );
});

describe('http.repeated-property: of what is named twice the first counts', () => {
  test.each([
    ['at the top', '{"a": 1, "b": 2, "a": 3}', { a: 1, b: 2 }, 'a'],
    ['inside', '{"a": {"b": [{"c": 1, "c": {"d": 2}}]}, "e": 5}', { a: { b: [{ c: 1 }] }, e: 5 }, 'c'],
    ['with a whole value behind it', '{"a": 1, "a": {"b": [1, "}", {"c": 2}]}, "z": 9}', { a: 1, z: 9 }, 'a'],
    ['under names that objects have', '{"__proto__": 1, "constructor": 2, "__proto__": 3}', undefined, '__proto__'],
    ['written with an escape', '{"a": 1, "\\u0061": 2}', { a: 1 }, 'a'],
  ])('%s', (_, text, first, repeated) => {
    const noticed = parseNoticing(text);
    expect(noticed.repeated).toBe(repeated);
    if (first) expect(noticed.first).toEqual(first);
    else expect(JSON.stringify(noticed.first)).toBe('{"__proto__":1,"constructor":2}');
  });
});

test('depth costs no stack', () => {
  const depth = 200_000;
  const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(parseNoticing(text).repeated).toBeUndefined();
});
