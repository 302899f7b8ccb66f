import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeOfFault } from './json-place.ts';

test.each([
  ['', 1, 1],
  ['{\n  "a": 1,\n  "condKey": sk_live_12"\n}', 3, 14],
  ['{"a":1,}', 1, 8],
  ['{"a" 1}', 1, 6],
  ['[1 2]', 1, 4],
  ['[1,\r\n2', 2, 2],
  ['"never ends', 1, 1],
  ['{} {}', 1, 4],
  ['\ufeff{}', 1, 1],
  ['[01]', 1, 3],
])('%j', (text, line, column) => {
  expect(placeOfFault(text)).toEqual({ line, column });
});

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('it finds fault with what is no JSON, and with nothing else', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ' ', '\\', 'e'), (json, where, put) => {
      const at = where % (json.length + 1);
      const text = json.slice(0, at) + put + json.slice(at + (where % 2));
      expect(placeOfFault(text) === undefined).toBe(parses(text));
    }),
    { numRuns: 2_000 },
  );
});
