import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NOON } from '../testing/fixture.ts';
import { Clock, startTimer } from './clock.ts';

beforeEach(() => vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

const HOUR = 3_600_000;

/** Returns the time of a clock in hours after NOON, and the clock's mode. */
const shown = (clock: Clock) => [clock.mode, (clock.now() - NOON) / HOUR, clock.offset / HOUR];

describe('a clock', () => {
  test('shows the system time, is frozen, or runs from a set time', () => {
    const clock = new Clock();
    expect(shown(clock)).toEqual(['real', 0, 0]);
    clock.freeze();
    vi.setSystemTime(NOON + HOUR);
    expect(shown(clock)).toEqual(['frozen', 0, -1]);
    clock.run(NOON + 5 * HOUR);
    vi.setSystemTime(NOON + 2 * HOUR);
    expect(shown(clock)).toEqual(['running', 6, 4]);
    clock.follow();
    expect(shown(clock)).toEqual(['real', 2, 0]);
  });

  test('is in the mode running even if it shows the system time', () => {
    const [clock, copy] = [new Clock(), new Clock()];
    clock.run();
    copy.restore(clock.state());
    expect([shown(clock), shown(copy)]).toEqual([
      ['running', 0, 0],
      ['running', 0, 0],
    ]);
  });

  test('runs again after stopAt and release, unless it was frozen before', () => {
    const [running, frozen] = [new Clock(), new Clock()];
    frozen.freeze();
    for (const clock of [running, frozen]) clock.stopAt(NOON + HOUR);
    vi.setSystemTime(NOON + 10 * HOUR);
    expect([running.now(), running.until(NOON + 2 * HOUR)]).toEqual([NOON + HOUR, undefined]);
    for (const clock of [running, frozen]) clock.stopAt(NOON + 3 * HOUR);
    for (const clock of [running, frozen]) clock.release();
    vi.setSystemTime(NOON + 11 * HOUR);
    expect([shown(running), shown(frozen)]).toEqual([
      ['running', 4, -7],
      ['frozen', 3, -8],
    ]);
  });

  test.each<[string, (clock: Clock) => void, unknown[]]>([
    ['real', () => {}, ['real', 48, 0]],
    ['running, on from what it showed', (clock) => clock.run(NOON + 5 * HOUR), ['running', 6, -42]],
    ['frozen', (clock) => clock.freeze(NOON + 5 * HOUR), ['frozen', 5, -43]],
    ['stopped, on from there', (clock) => clock.stopAt(NOON + 5 * HOUR), ['running', 6, -42]],
  ])('continues when it is restored: %s', (_, set, expected) => {
    const [clock, copy] = [new Clock(), new Clock()];
    set(clock);
    const state = clock.state();
    vi.setSystemTime(NOON + 47 * HOUR);
    copy.restore(state);
    vi.setSystemTime(NOON + 48 * HOUR);
    expect(shown(copy)).toEqual(expected);
  });
});

test('a timer calls back once, unless it is cancelled', () => {
  const [callback, cancelled] = [vi.fn(), vi.fn()];
  startTimer(HOUR, callback);
  startTimer(HOUR, cancelled)();
  vi.advanceTimersByTime(HOUR - 1);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(HOUR);
  expect([callback.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0]);
});
