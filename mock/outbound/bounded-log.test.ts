import { describe, expect, test } from 'vitest';
import { BoundedLog } from './bounded-log.ts';

describe('limits', () => {
  const logOf = (limit: number, capacity: number) => new BoundedLog<string>((text) => text.length, limit, capacity);

  test('the log keeps the last entries up to its limit, and counts those that it dropped', () => {
    const few = logOf(3, 1_000_000);
    for (let i = 0; i < 50; i++) few.add(String(i));
    expect([few.all(), few.dropped]).toEqual([['47', '48', '49'], 47]);
  });

  test('the log keeps no more bytes than its capacity', () => {
    const small = logOf(1000, 10_000);
    for (let i = 0; i < 50; i++) small.add(String(i).padEnd(1000));
    expect([small.all().map(Number), small.dropped]).toEqual([[47, 48, 49], 47]);
    small.add('50');
    expect(small.all().map(Number)).toEqual([47, 48, 49, 50]);
  });

  test('the newest entry is kept even if it alone is too large', () => {
    const small = logOf(1000, 10_000);
    for (const letter of ['a', 'b', 'c']) small.add(letter.repeat(20_000));
    expect([small.all().map((text) => text[0]), small.dropped]).toEqual([['c'], 2]);
  });
});

describe('waiting', () => {
  const isEven = (number: number) => number % 2 === 0;
  const numbers = (...present: number[]) => {
    const log = new BoundedLog<number>(() => 0);
    for (const number of present) log.add(number);
    return log;
  };

  test('all present matches are returned at once', async () => {
    expect(await numbers(1, 2, 4).waitFor(isEven, 1, 60_000)).toEqual([2, 4]);
  });

  test('later matches are returned as soon as there are enough, after the present ones', async () => {
    const log = numbers(2);
    const waiting = log.waitFor(isEven, 2, 60_000);
    for (const number of [3, 4, 6]) log.add(number);
    expect(await waiting).toEqual([2, 4]);
  });

  test('an entry counts once, and only while it matches', async () => {
    const log = new BoundedLog<{ ready: boolean }>(() => 0);
    const [one, other] = [{ ready: true }, { ready: true }];
    const waiting = log.waitFor(({ ready }) => ready, 2, 60_000);
    log.add(one);
    log.update(one);
    one.ready = false;
    log.update(one);
    log.add(other);
    one.ready = true;
    log.update(one);
    expect(await waiting).toEqual([other, one]);
  });

  test('at the deadline the present matches are returned', async () => {
    expect(await numbers(1, 2).waitFor(isEven, 2, 1)).toEqual([2]);
  });

  test('stopping the log ends every wait, now and later', async () => {
    const log = numbers(2);
    const waiting = log.waitFor(isEven, 2, 60_000);
    log.stop();
    expect(await waiting).toEqual([2]);
    expect(await log.waitFor((number) => number === 7, 1, 60_000)).toEqual([]);
  });
});
