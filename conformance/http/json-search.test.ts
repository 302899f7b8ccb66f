import { expect, test } from 'vitest';
import { parseJson } from './json-search.ts';

test('a value that is nested so deeply that it would end recursive functions is not read', () => {
  const nested = (open: string, close: string, levels: number) => parseJson(`${open.repeat(levels)}1${close.repeat(levels)}`);
  expect(nested('[', ']', 100)).toBeDefined();
  for (const levels of [101, 3000, 200_000])
    expect([nested('[', ']', levels), nested('{"a":', '}', levels)]).toEqual([undefined, undefined]);
});
