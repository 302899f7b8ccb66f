import { expect, test } from 'vitest';
import { Bounded } from './bounded.ts';

const bounded = (limit: number, capacity: number) => new Bounded<string>(limit, (text) => text.length, capacity);

test('keeps the last of as many as its limit, and says how many it has let go', () => {
  const few = bounded(3, 1_000_000);
  for (let i = 0; i < 50; i++) few.add(String(i));
  expect([few.all(), few.dropped]).toEqual([['47', '48', '49'], 47]);
});

test('keeps no more bytes than it may, however few entries those are', () => {
  const small = bounded(1000, 10_000);
  for (let i = 0; i < 50; i++) small.add(String(i).padEnd(1000));
  expect([small.all().map(Number), small.dropped]).toEqual([[47, 48, 49], 47]);
  small.add('50');
  expect(small.all().map(Number)).toEqual([47, 48, 49, 50]);
});

test('keeps the newest even when it alone is too large', () => {
  const small = bounded(1000, 10_000);
  for (const letter of ['a', 'b', 'c']) small.add(letter.repeat(20_000));
  expect([small.all().map((text) => text[0]), small.dropped]).toEqual([['c'], 2]);
});
