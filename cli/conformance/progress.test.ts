import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ruleResult } from '../../conformance/testing/result-fixture.ts';
import { Progress } from './progress.ts';

const rule = (verdict: 'pass' | 'fail' = 'pass') => ruleResult('adjustment.by-id.refuses-overdraw', { verdict });

function screenOf(isTTY: boolean, planned = { rules: 4, requests: 34 }) {
  const written: string[] = [];
  const sent = { requests: 17 };
  const screen = { isTTY, columns: 120, write: (text: string) => written.push(text) };
  const estimates = () => written.map((line) => Number(/about (\d+) s left/.exec(line)?.[1] ?? Number.NaN));
  return { written, estimates, sent, progress: new Progress(screen, planned, () => sent.requests) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('without a terminal, a line every ten seconds shows rules, requests and the time left', () => {
  const { written, progress } = screenOf(false);
  vi.advanceTimersByTime(4_000);
  progress.finished(rule());
  progress.finished(rule('fail'));
  expect(written).toEqual([]);
  vi.advanceTimersByTime(6_000);
  expect(written).toEqual(['2 of 4 rules · about 10 s left · 17 requests · 1 pass, 1 fail\n']);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(1);
});

test('the estimate follows the requests, so rules of different size do not raise it', () => {
  const { estimates, sent, progress } = screenOf(false, { rules: 100, requests: 200 });
  sent.requests = 0;
  for (let line = 1; line <= 10; line += 1) {
    // At first many rules are left out, and later each rule sends many requests.
    for (let done = 0; done < (line < 3 ? 40 : 2); done += 1) progress.finished(rule());
    sent.requests += 20;
    vi.advanceTimersByTime(10_000);
  }
  expect(estimates()).toEqual([90, 80, 70, 60, 50, 40, 30, 20, 10, Number.NaN]);
  progress.end();
});

test('there is no estimate before a tenth of the requests is sent, and while the target becomes slower', () => {
  const { written, estimates, sent, progress } = screenOf(false, { rules: 4, requests: 100 });
  for (sent.requests of [0, 9, 30, 32, 34, 60, 120]) vi.advanceTimersByTime(10_000);
  const none = Number.NaN;
  expect(estimates()).toEqual([none, none, 70, none, none, 40, none]);
  expect(written[0]).toBe('0 of 4 rules · 0 requests\n');
  progress.end();
});

test('a long pause is printed', () => {
  const { written, progress } = screenOf(false);
  for (const ms of [30_500, 1_000, 4_000]) progress.waits(ms, 'limit', false);
  expect(written.map((line) => /waits (\d+) s/.exec(line)?.[1])).toEqual(['31', '4']);
  progress.end();
});

test('a terminal shows one line, which is overwritten and removed at the end', () => {
  const { written, progress } = screenOf(true);
  progress.finished(rule('fail'));
  progress.waits(20_000, 'limit', true);
  progress.end();
  const bar = `\r\x1b[2K1 of 4 rules · `;
  expect(written).toEqual([expect.stringContaining(bar), expect.stringContaining(`${bar}waits 20 s`), '\r\x1b[2K']);
});
