import { expect, test } from 'vitest';
import { formatCount } from './text.ts';

test('one has no plural s', () => {
  expect([0, 1, 2].map((number) => formatCount(number, 'card'))).toEqual(['0 cards', '1 card', '2 cards']);
  expect([1, 2].map((number) => formatCount(number, 'story', 'stories'))).toEqual(['1 story', '2 stories']);
});
