import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, runResult } from '../testing/result-fixture.ts';
import { markdownReport } from './markdown.ts';

test('the summary has outcome, headline, failures and a table by section', () => {
  const text = markdownReport([everyVerdict], { page: 'out/report.html' });
  expect(text).toMatch(/^## ❌ 1 clause is violated\n/);
  expect(text).toContain('\nstated 1 pass, 1 fail');
  expect(text).toContain('  Evidence   out/report.html#adjustment.by-id.refuses-overdraw\n```');
  expect(text).toContain('| Section | pass | observed | untested | blocked | error | known-fail | fail |');
  expect(text).toContain('| List parameters |  |  | 1 |  |  |  |  |');
});

test('what is known is not called held', () => {
  const known = clauseResult('adjustment.answers-200', { verdict: 'known-fail', known: 'ticket 12' });
  const [first] = markdownReport([runResult([clauseResult('adjustment.answers-true'), known])]).split('\n');
  expect(first).toBe('## ✅ Nothing new is violated: 1 known; what else could be judged holds (1 of 2 clauses)');
});

test('what a target sent stays within its block of code', () => {
  const blocks = markdownReport([everyVerdict]).split(/^(`{3,})/m);
  const outside = blocks.filter((_, index) => index % 4 === 0).join('');
  expect(blocks.length).toBeGreaterThan(8);
  expect(outside).not.toContain('<script>');
});

test('of several runs, what differs comes first', () => {
  const one = runResult([clauseResult('adjustment.answers-true'), clauseResult('adjustment.answers-200')]);
  const observation = { option: null, text: 'a | b' };
  const two = runResult([
    clauseResult('adjustment.answers-true', { verdict: 'observed', observation }),
    clauseResult('adjustment.answers-200'),
  ]);
  const text = markdownReport([one, { ...two, target: 'http://localhost:1' }]);
  expect(text).toMatch(/^## 1 of 2 clauses differs\n/);
  expect(text).toContain('| `adjustment.answers-true` | pass | `a \\| b` |');
  expect(text).not.toContain('`adjustment.answers-200`');
});
