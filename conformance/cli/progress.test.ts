import { expect, test } from 'vitest';
import { clauseResult } from '../testing/result-fixture.ts';
import { Progress } from './progress.ts';

const names = [
  'adjustment.by-id.refuses-overdraw',
  'list.page-size-maximum',
  'adjustment.by-code.may-go-negative',
  'list.page-size-default',
] as const;

function fakeScreen(isTTY: boolean) {
  const written: string[] = [];
  const now = 0;
  const screen = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return { written, screen, now: () => now };
}

test('a finished section is printed with its verdicts', () => {
  const { written, screen, now } = fakeScreen(false);
  const progress = new Progress(screen, now);
  progress.begin(names);
  for (const [index, name] of names.entries()) progress.finished(clauseResult(name, index === 2 ? { verdict: 'fail' } : {}));
  progress.end();
  expect(written).toEqual(['Adjustment rules: 1 pass, 1 fail (3 of 4 clauses)\n', 'List parameters: 2 pass (4 of 4 clauses)\n']);
});

test('a long pause is printed with its reason', () => {
  const { written, screen, now } = fakeScreen(false);
  const progress = new Progress(screen, now);
  progress.begin(names);
  progress.waits(30_500, 'limit');
  progress.waits(1_000, 'limit');
  progress.waits(4_000, 'own-rate');
  progress.waits(60_000, 'rest');
  expect(written.map((line) => line.replace(/.* (\d+ s).*/s, '$1'))).toEqual(['31 s', '4 s', '60 s']);
});

test('a terminal shows one line, which is overwritten and removed at the end', () => {
  const { written, screen, now } = fakeScreen(true);
  const progress = new Progress(screen, now);
  progress.begin(names);
  progress.finished(clauseResult(names[0], { verdict: 'fail' }));
  progress.waits(20_000, 'limit');
  progress.end();
  expect(written).toEqual([
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail`,
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail · rate limit: 20 s`,
    '\r\x1b[2K',
  ]);
});
