import { expect, test } from 'vitest';
import { Waits } from './waiters.ts';

const even = (number: number) => number % 2 === 0;

test('what is there already is answered with, all of it', async () => {
  expect(await new Waits<number>().for([1, 2, 4], even, 1, 60_000)).toEqual({ found: [2, 4], timedOut: false });
});

test('what comes later is answered with as soon as there is enough, what was there first', async () => {
  const waits = new Waits<number>();
  const waited = waits.for([2], even, 2, 60_000);
  for (const number of [3, 4, 6]) waits.tell(number);
  expect(await waited).toEqual({ found: [2, 4], timedOut: false });
});

test('an entry counts once, and as what it is when it is told of', async () => {
  const waits = new Waits<{ ready: boolean }>();
  const [one, other] = [{ ready: true }, { ready: true }];
  const waited = waits.for([], ({ ready }) => ready, 2, 60_000);
  waits.tell(one);
  waits.tell(one);
  one.ready = false;
  waits.tell(one);
  waits.tell(other);
  one.ready = true;
  waits.tell(one);
  expect(await waited).toEqual({ found: [other, one], timedOut: false });
});

test('at the deadline the answer is what there is', async () => {
  expect(await new Waits<number>().for([1, 2], even, 2, 1)).toEqual({ found: [2], timedOut: true });
});

test('when it ends, nobody waits any longer, and nobody who comes later', async () => {
  const waits = new Waits<number>();
  const waited = waits.for([2], even, 2, 60_000);
  waits.end();
  expect(await waited).toEqual({ found: [2], timedOut: true });
  expect(await waits.for([], even, 1, 60_000)).toEqual({ found: [], timedOut: true });
});
