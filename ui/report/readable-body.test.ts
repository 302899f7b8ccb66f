import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableBody } from './readable-body.ts';

test('numbers, repeated names and texts stay as they were sent', () => {
  expect(readableBody('{"a":25.00,"a":1e3,"b":[ ],"c":"{\\"x\\": [1, 2]}"}')).toBe(
    '{\n  "a": 25.00,\n  "a": 1e3,\n  "b": [],\n  "c": "{\\"x\\": [1, 2]}"\n}',
  );
});

test('text that is not JSON is unchanged', () => {
  expect(readableBody('{"a": nothing')).toBe('{"a": nothing');
  expect(readableBody('plain, text: [1]')).toBe('plain, text: [1]');
});

test('the layout is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(readableBody(text)).toBe(typeof value === 'object' ? JSON.stringify(JSON.parse(text), null, 2) : text);
    }),
  );
});
