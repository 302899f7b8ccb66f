import { expect, test } from 'vitest';
import { excerptsOfDifference, formatCount } from './text.ts';

test('one has no plural s', () => {
  expect([0, 1, 2].map((number) => formatCount(number, 'card'))).toEqual(['0 cards', '1 card', '2 cards']);
  expect([1, 2].map((number) => formatCount(number, 'story', 'stories'))).toEqual(['1 story', '2 stories']);
});

test('excerpts of two texts show where they differ', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => String(index)).join();
  const [one, other] = excerptsOfDifference(numbers, numbers.replace(',80,', ',0,'));
  expect([one.slice(-20), one === other, one.includes('79,80,81'), other.includes('79,0,81')]).toEqual([
    numbers.slice(-20),
    false,
    true,
    true,
  ]);
  const long = 'x'.repeat(1_000);
  expect(excerptsOfDifference(long, `${long}y`).map((text) => text.endsWith('y'))).toEqual([false, true]);
  expect(excerptsOfDifference('[1,2]', '[1,3]')).toEqual(['[1,2]', '[1,3]']);
});
