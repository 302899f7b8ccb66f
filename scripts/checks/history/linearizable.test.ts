import { expect, test } from 'vitest';
import { type Operation, unexplained } from './linearizable.ts';

const write = (value: number, began: number, ended: number): Operation<number> => ({
  began,
  ended,
  text: `write ${value}`,
  apply: () => value,
});
const read = (value: number, began: number, ended: number): Operation<number> => ({
  began,
  ended,
  text: `read ${value}`,
  apply: (state) => (state === value ? state : undefined),
});
const never = Number.POSITIVE_INFINITY;

test.each([
  ['a read during a write may see the value before or after it', [write(1, 0, 10), read(0, 1, 9), read(1, 2, 9)]],
  ['a write without a response happens at any later time', [write(1, 0, never), read(0, 1, 2), read(0, 3, 4), read(1, 5, 6)]],
  ['a write without a response never happens', [write(1, 0, never), read(0, 1, 2)]],
])('explained: %s', (_, operations) => {
  expect(unexplained(operations, 0)).toBeUndefined();
});

test.each([
  ['a read after a write sees the value before it', [write(1, 0, 1), read(0, 2, 3)]],
  ['a later read sees an earlier value', [write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)]],
  ['a write without a response happens and is gone again', [write(1, 0, never), read(1, 1, 2), read(0, 3, 4)]],
  ['a value that no client wrote', [write(1, 0, 1), read(2, 2, 3)]],
])('not explained: %s', (_, operations) => {
  expect(unexplained(operations, 0)).toEqual([operations.at(-1)?.text]);
});
