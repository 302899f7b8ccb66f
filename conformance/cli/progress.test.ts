import { expect, test } from 'vitest';
import { clauseResult } from '../testing/result-fixture.ts';
import { Progress } from './progress.ts';

const names = [
  'adjustment.by-id.refuses-overdraw',
  'list.page-size-maximum',
  'adjustment.by-code.may-go-negative',
  'list.page-size-default',
] as const;

function shown(isTTY: boolean) {
  const written: string[] = [];
  const now = 0;
  const screen = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return { written, screen, now: () => now };
}

test('a section is told when it is through, with its verdicts', () => {
  const { written, screen, now } = shown(false);
  const told = new Progress(screen, now);
  told.begin(names);
  for (const [index, name] of names.entries()) told.finished(clauseResult(name, index === 2 ? { verdict: 'fail' } : {}));
  told.end();
  expect(written).toEqual(['Adjustment rules: 1 pass, 1 fail (3 of 4 clauses)\n', 'List parameters: 2 pass (4 of 4 clauses)\n']);
});

test('a long pause is told with its reason, a short one is not', () => {
  const { written, screen, now } = shown(false);
  const told = new Progress(screen, now);
  told.begin(names);
  told.waits(30_500, 'limit');
  told.waits(1_000, 'limit');
  told.waits(4_000, 'own-rate');
  told.waits(60_000, 'rest');
  expect(written.map((line) => line.replace(/.* (\d+ s).*/s, '$1'))).toEqual(['31 s', '4 s', '60 s']);
});

test('on a terminal one line is written over, no wider than it, and taken away at the end', () => {
  const { written, screen, now } = shown(true);
  const told = new Progress(screen, now);
  told.begin(names);
  told.finished(clauseResult(names[0], { verdict: 'fail' }));
  told.waits(20_000, 'limit');
  told.end();
  expect(written).toEqual([
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail`,
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail · rate limit: 20 s`,
    '\r\x1b[2K',
  ]);
});
