import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clauseResult } from '../testing/result-fixture.ts';
import { Progress } from './progress.ts';

const clause = (verdict: 'pass' | 'fail' = 'pass') => clauseResult('adjustment.by-id.refuses-overdraw', { verdict });

function screenOf(isTTY: boolean, clauses = 4) {
  const written: string[] = [];
  const screen = { isTTY, columns: 120, write: (text: string) => written.push(text) };
  return { written, progress: new Progress(screen, clauses, () => 17) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('without a terminal, a line every ten seconds shows clauses, requests and the time left', () => {
  const { written, progress } = screenOf(false);
  vi.advanceTimersByTime(4_000);
  progress.finished(clause());
  progress.finished(clause('fail'));
  expect(written).toEqual([]);
  vi.advanceTimersByTime(6_000);
  expect(written).toEqual(['2 of 4 clauses · about 10 s left · 17 requests · 1 pass, 1 fail\n']);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(1);
});

test('a target that has answered nothing yet has no estimate', () => {
  const { written, progress } = screenOf(false);
  vi.advanceTimersByTime(10_000);
  expect(written).toEqual(['0 of 4 clauses · no clause is done · 17 requests\n']);
  progress.end();
});

test('a long pause is printed', () => {
  const { written, progress } = screenOf(false);
  for (const ms of [30_500, 1_000, 4_000]) progress.waits(ms, 'limit');
  expect(written.map((line) => /waits (\d+) s/.exec(line)?.[1])).toEqual(['31', '4']);
  progress.end();
});

test('a terminal shows one line, which is overwritten and removed at the end', () => {
  const { written, progress } = screenOf(true);
  progress.finished(clause('fail'));
  progress.waits(20_000, 'limit');
  progress.end();
  const bar = `\r\x1b[2K1 of 4 clauses · `;
  expect(written).toEqual([expect.stringContaining(bar), expect.stringContaining(`${bar}waits 20 s`), '\r\x1b[2K']);
});
