import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prettyJson } from '../html.ts';

test('numbers, repeated names and texts stay as they were sent', () => {
  expect(prettyJson('{"a":25.00,"a":1e3,"b":[ ],"c":"{\\"x\\": [1, 2]}"}')).toBe(
    '{\n  "a": 25.00,\n  "a": 1e3,\n  "b": [],\n  "c": "{\\"x\\": [1, 2]}"\n}',
  );
});

test('text that is not JSON is unchanged', () => {
  expect(prettyJson('{"a": nothing')).toBe('{"a": nothing');
  expect(prettyJson('plain, text: [1]')).toBe('plain, text: [1]');
});

test('the layout is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(prettyJson(text)).toBe(typeof value === 'object' ? JSON.stringify(JSON.parse(text), null, 2) : text);
    }),
  );
});
