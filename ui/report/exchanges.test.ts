import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableBody } from './exchanges.tsx';

test('numbers, repeated names and texts stay as they were sent', () => {
  expect(readableBody('{"a":25.00,"a":1e3,"b":[ ],"c":"{\\"x\\": [1, 2]}"}')).toBe(
    '{\n  "a": 25.00,\n  "a": 1e3,\n  "b": [],\n  "c": "{\\"x\\": [1, 2]}"\n}',
  );
});

test('pseudonyms of numbers are values', () => {
  expect(readableBody('{"id":card#3.id,"of":[card#4,«number»],"code":"card#3, card#4"}')).toBe(
    '{\n  "id": card#3.id,\n  "of": [\n    card#4,\n    «number»\n  ],\n  "code": "card#3, card#4"\n}',
  );
});

test('text that is not JSON is unchanged, except for control characters', () => {
  expect(readableBody('{"a": nothing')).toBe('{"a": nothing');
  expect(readableBody('plain, text: [1]\n\u202e\u0007')).toBe('plain, text: [1]\n\\u202e\\u0007');
});

test('the layout is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/[\p{Cc}\p{Cf}\uE000]|#\d|«/u.test(text));
      expect(readableBody(text)).toBe(typeof value === 'object' ? JSON.stringify(JSON.parse(text), null, 2) : text);
    }),
  );
});
