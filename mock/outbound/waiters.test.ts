import { expect, test } from 'vitest';
import { Waiters } from './waiters.ts';

const even = (number: number) => number % 2 === 0;

test('what is there already is answered with, all of it', async () => {
  expect(await new Waiters<number>().wait([1, 2, 4], even, 1, 60_000)).toEqual({ found: [2, 4], timedOut: false });
});

test('what comes later is answered with as soon as there is enough, what was there first', async () => {
  const waiters = new Waiters<number>();
  const waited = waiters.wait([2], even, 2, 60_000);
  for (const number of [3, 4, 6]) waiters.notify(number);
  expect(await waited).toEqual({ found: [2, 4], timedOut: false });
});

test('an entry counts once, and as what it is when it is told of', async () => {
  const waiters = new Waiters<{ ready: boolean }>();
  const [one, other] = [{ ready: true }, { ready: true }];
  const waited = waiters.wait([], ({ ready }) => ready, 2, 60_000);
  waiters.notify(one);
  waiters.notify(one);
  one.ready = false;
  waiters.notify(one);
  waiters.notify(other);
  one.ready = true;
  waiters.notify(one);
  expect(await waited).toEqual({ found: [other, one], timedOut: false });
});

test('at the deadline the answer is what there is', async () => {
  expect(await new Waiters<number>().wait([1, 2], even, 2, 1)).toEqual({ found: [2], timedOut: true });
});

test('when it ends, nobody waits any longer, and nobody who comes later', async () => {
  const waiters = new Waiters<number>();
  const waited = waiters.wait([2], even, 2, 60_000);
  waiters.stop();
  expect(await waited).toEqual({ found: [2], timedOut: true });
  expect(await waiters.wait([], even, 1, 60_000)).toEqual({ found: [], timedOut: true });
});
