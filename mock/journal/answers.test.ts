import { expect, test } from 'vitest';
import { Answers } from './answers.ts';
import { LONGEST } from './entry.ts';

test('a long answer is kept as far as it can be, and another one as itself', () => {
  const answers = new Answers();
  const [long, other] = ['ä'.repeat(LONGEST + 1), `${'ä'.repeat(LONGEST - 1)}bc`];
  for (const text of [long, long, other, long]) expect(answers.of(text)).toBe(text.slice(0, LONGEST));
});

test('a short one is kept whole', () => {
  const answers = new Answers();
  expect(answers.of('x'.repeat(LONGEST)).length).toBe(LONGEST);
  expect([answers.of(''), answers.of('y')]).toEqual(['', 'y']);
});
