import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, runResult } from '../testing/result-fixture.ts';
import { documentOf } from './build-document.ts';
import { junitReport } from './junit.ts';

const attributes = (xml: string) => /<testsuites [^>]*>/.exec(xml)?.[0] ?? '';
const cases = (xml: string) =>
  [...xml.matchAll(/<testcase [^>]*? name="([^"]*)"[^>]*>\s*<(failure|error|skipped|system-out)/g)].map(([, name, child]) => [
    name,
    child,
  ]);

test('only failures of the exit code are failures, and only untested clauses are skipped', () => {
  const xml = junitReport(documentOf([everyVerdict]));
  expect(attributes(xml)).toContain('tests="10" failures="1" errors="2">');
  expect(xml.match(/<skipped/g)).toHaveLength(1);
  const byName = Object.fromEntries(cases(xml));
  expect(byName).toMatchObject({
    'adjustment.by-id.refuses-overdraw': 'failure',
    'gift-card.void.is-final': 'error',
    'list.page-size-maximum': 'skipped',
    'adjustment.by-id.overdraw-status': 'system-out',
    'adjustment.answers-200': 'system-out',
    'errors.malformed-input-is-no-server-fault': 'system-out',
    'adjustment.answers-true': 'system-out',
  });
});

test('an exit code that no clause explains is an error', () => {
  const untested = runResult([clauseResult('adjustment.answers-true', { verdict: 'untested', reason: 'budget' })]);
  expect(cases(junitReport(documentOf([untested]))).at(-1)).toEqual(['exit code', 'error']);
  const leaving = runResult([clauseResult('adjustment.answers-true')], { cards: { created: 1, voided: 0, left: ['card#1'] } });
  expect(cases(junitReport(documentOf([leaving]))).at(-1)).toEqual(['exit code', 'error']);
  const green = runResult([clauseResult('adjustment.answers-true')]);
  expect(cases(junitReport(documentOf([green]))).at(-1)).toEqual(['exit code', 'system-out']);
});

test('text of the target is escaped', () => {
  const xml = junitReport(documentOf([everyVerdict]));
  expect(xml).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(xml).not.toContain('<script');
});
