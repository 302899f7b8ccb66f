import { expect, test } from 'vitest';
import { clauseResult } from '../testing/result-fixture.ts';
import { Progress } from './progress.ts';

const names = [
  'adjustment.by-id.refuses-overdraw',
  'list.page-size-maximum',
  'adjustment.by-code.may-go-negative',
  'list.page-size-default',
] as const;

function screenOf(isTTY: boolean) {
  const written: string[] = [];
  return { written, screen: { isTTY, columns: 120, write: (text: string) => written.push(text) } };
}

test('a finished section is printed with its verdicts', () => {
  const { written, screen } = screenOf(false);
  const progress = new Progress(screen, names);
  for (const [index, name] of names.entries()) progress.finished(clauseResult(name, index === 2 ? { verdict: 'fail' } : {}));
  progress.end();
  expect(written).toEqual(['Adjustment rules: 1 pass, 1 fail (3 of 4 clauses)\n', 'List parameters: 2 pass (4 of 4 clauses)\n']);
});

test('a long pause is printed', () => {
  const { written, screen } = screenOf(false);
  const progress = new Progress(screen, names);
  for (const ms of [30_500, 1_000, 4_000]) progress.waits(ms, 'limit');
  expect(written.map((line) => /\d+ s/.exec(line)?.[0])).toEqual(['31 s', '4 s']);
});

test('a terminal shows one line, which is overwritten and removed at the end', () => {
  const { written, screen } = screenOf(true);
  const progress = new Progress(screen, names);
  progress.finished(clauseResult(names[0], { verdict: 'fail' }));
  progress.waits(20_000, 'limit');
  progress.end();
  const bar = `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail · `;
  expect(written).toEqual([expect.stringContaining(`${bar}`), expect.stringContaining(`${bar}waits 20 s`), '\r\x1b[2K']);
});
