import { expect, test } from 'vitest';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { differences, diffText } from './difference.ts';
import type { Verdict } from './verdict.ts';

const name = 'adjustment.answers-200';
const of = (verdict: Verdict, told?: string) =>
  runResult([clauseResult(name, { verdict, ...(told === undefined ? {} : { observation: { option: null, text: told } }) })]);

test.each<[Verdict, Verdict, string]>([
  ['pass', 'fail', 'worse'],
  ['pass', 'untested', 'worse'],
  ['untested', 'error', 'worse'],
  ['blocked', 'fail', 'worse'],
  ['pass', 'known-fail', 'worse'],
  ['fail', 'pass', 'better'],
  ['fail', 'untested', 'better'],
  ['fail', 'known-fail', 'changed'],
])('from %s to %s is %s', (before, after, kind) => {
  expect(differences(of(before), of(after))).toMatchObject([{ name, kind, before, after }]);
});

test('the same verdict with another observation is a change, and with the same one none', () => {
  expect(differences(of('observed', '400'), of('observed', '409'))).toMatchObject([{ kind: 'changed' }]);
  expect(differences(of('observed', '400'), of('observed', '400'))).toEqual([]);
  expect(diffText([])).toBe('No difference.\n');
});

test('clauses that only one run has are told, and are neither better nor worse', () => {
  expect(differences(of('fail'), runResult([]))).toMatchObject([{ kind: 'gone', after: undefined }]);
  expect(differences(runResult([]), of('fail'))).toMatchObject([{ kind: 'new', before: undefined }]);
});

test('the worst comes first', () => {
  const other = 'adjustment.answers-true';
  const [a, b] = (['fail', 'pass'] as const).map((verdict) => clauseResult(other, { verdict }));
  const found = differences(
    runResult([...(a ? [a] : []), clauseResult(name)]),
    runResult([...(b ? [b] : []), clauseResult(name, { verdict: 'fail' })]),
  );
  expect(diffText(found)).toBe(`worse    ${name}   pass → fail\nbetter   ${other}  fail → pass\n\n1 worse, 1 better\n`);
});
