import { expect, test } from 'vitest';
import { progress } from './progress.ts';
import { clauseResult } from './report/sample.ts';

const names = [
  'adjustment.by-id.refuses-overdraw',
  'list.page-size-maximum',
  'adjustment.by-code.may-go-negative',
  'list.page-size-default',
] as const;

function shown(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const screen = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return { written, screen, now: () => now, pass: (ms: number) => (now += ms) };
}

test('a section is told when it is through, with its verdicts', () => {
  const { written, screen, now } = shown(false);
  const told = progress(names, screen, now);
  for (const [index, name] of names.entries()) told.judged(clauseResult(name, index === 2 ? { verdict: 'fail' } : {}));
  told.end();
  expect(written).toEqual(['Adjustment rules: 1 pass, 1 fail (3 of 4 clauses)\n', 'List parameters: 2 pass (4 of 4 clauses)\n']);
});

test('a long pause is told, with what is left once that can be said; a short one is not', () => {
  const { written, screen, now, pass } = shown(false);
  const many = Array.from({ length: 12 }, () => names[0]);
  const told = progress(many, screen, now);
  told.waits(30_500);
  for (let done = 0; done < 6; done += 1) {
    pass(20_000);
    told.judged(clauseResult(names[0]));
  }
  told.waits(1_000);
  told.waits(4_000);
  expect(written).toEqual([
    'The rate limit is reached; going on in 31 s.\n',
    'The rate limit is reached; going on in 4 s, about 2 min left.\n',
  ]);
});

test('on a terminal one line is written over, no wider than it, and taken away at the end', () => {
  const { written, screen, now } = shown(true);
  const told = progress(names, screen, now);
  told.judged(clauseResult(names[0], { verdict: 'fail' }));
  told.waits(20_000);
  told.end();
  expect(written).toEqual([
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail`,
    `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 · 1 fail · rate limit: on i`,
    '\r\x1b[2K',
  ]);
});
