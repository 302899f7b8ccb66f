import { describe, expect, test } from 'vitest';
import { BoundedLog } from './bounded-log.ts';

describe('limits', () => {
  /** Each entry is its length in characters. */
  const logOf = (...entries: number[]) => {
    const log = new BoundedLog<number>((length) => length);
    for (const entry of entries) log.add(entry);
    return log;
  };

  test('the log keeps the last 10,000 entries, and counts those that it dropped', () => {
    const log = logOf(...Array.from({ length: 25_000 }, () => 0), 1);
    expect([log.all().length, log.all().at(-1), log.dropped]).toEqual([10_000, 1, 15_001]);
  });

  test('the log keeps no more than 16 MiB', () => {
    const log = logOf(...Array.from({ length: 50 }, (_, n) => 2_000_000 + n));
    expect([log.all(), log.dropped]).toEqual([[2_000_046, 2_000_047, 2_000_048, 2_000_049], 46]);
    log.add(50);
    expect(log.all()).toHaveLength(5);
  });

  test('the newest entry is kept even if it alone is too large', () => {
    const log = logOf(9_000_000, 9_000_001);
    expect([log.all(), log.dropped]).toEqual([[9_000_001], 1]);
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
