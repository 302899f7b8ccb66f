import { expect, test } from 'vitest';
import { ruleResult, runResult } from '../testing/result-fixture.ts';
import { endingOfRun } from './run-ending.ts';

test('4: requests over the budget', () => {
  const overBudget = endingOfRun(runResult([ruleResult('adjustment.returns-true')], { heldBack: ['adjustment.returns-true'] }));
  expect([overBudget.code, overBudget.because]).toEqual([
    4,
    [expect.stringMatching(/^1 rule .*--max-creates.*adjustment\.returns-true$/)],
  ]);
});

test('0 or 1: a robustness expectation failed', () => {
  const rules = [ruleResult('adjustment.parallel-all-count', { level: 'robustness', verdict: 'fail' })];
  const failed = endingOfRun(runResult(rules));
  expect([failed.code, failed.because]).toEqual([0, [expect.stringMatching(/^1 robustness/)]]);
  expect(endingOfRun(runResult(rules, { failOn: 'robustness' }))).toMatchObject({ code: 1, because: [] });
});

test.each([
  [4, { verdict: 'pass' }, {}],
  [1, { verdict: 'fail' }, {}],
  [5, { verdict: 'pass' }, { cards: { created: 1, voided: 0, left: ['card#1'] } }],
] as const)('%i: the reason says that the target stopped responding', (code, first, more) => {
  const silent = ruleResult('adjustment.returns-true', { verdict: 'error', fault: 'transport', detail: 'ECONNREFUSED' });
  const result = runResult([ruleResult('adjustment.returns-200', first), silent], more as object);
  expect(endingOfRun(result)).toMatchObject({
    code,
    because: expect.arrayContaining([expect.stringContaining('1 rule without a response')]),
  });
});
