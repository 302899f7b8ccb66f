import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { applyBaseline, buildBaseline, readBaseline, writeBaseline } from './baseline.ts';
import { exitCode } from './exit.ts';

const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'baseline.json');

const [known, fixed, other, untried] = [
  'adjustment.answers-200',
  'adjustment.answers-true',
  'list.page-size-maximum',
  'gift-card.void.again',
] as const;
const baseline = new Map<ClauseName, string>([
  [known, 'ticket 12'],
  [untried, 'ticket 13'],
]);

test('a failure in the baseline does not fail the run; a new failure does', () => {
  const fails = [known, other].map((name) => clauseResult(name, { verdict: 'fail' }));
  const result = applyBaseline(runResult(fails), baseline);
  expect(result.clauses).toMatchObject([{ verdict: 'known-fail', known: 'ticket 12' }, { verdict: 'fail' }]);
  expect(exitCode(result)).toBe(1);
  expect(exitCode(applyBaseline(runResult(fails.slice(0, 1)), baseline))).toBe(0);
});

test('an entry whose clause passes is stale and fails the run; an entry whose clause was not run is not stale', () => {
  const result = runResult([clauseResult(known), clauseResult(untried, { verdict: 'untested', reason: 'budget' })]);
  expect(exitCode(result)).toBe(0);
  expect(applyBaseline(result, baseline).staleBaseline).toEqual([known]);
  expect(exitCode(applyBaseline(result, baseline))).toBe(1);
});

test('a baseline does not excuse a missing answer', () => {
  const broken = runResult([clauseResult(known, { verdict: 'error', fault: 'transport' })]);
  expect(applyBaseline(broken, baseline).clauses).toMatchObject([{ verdict: 'error' }]);
});

test('a new baseline keeps reasons, drops clauses that pass, and describes new failures', () => {
  const result = runResult([
    clauseResult(known, { verdict: 'fail', expected: '200', got: '201' }),
    clauseResult(fixed),
    clauseResult(other, { verdict: 'fail', expected: '50 cards', got: '70 cards' }),
  ]);
  const fitting = buildBaseline(result, new Map([...baseline, [fixed, 'ticket 14']]));
  expect(Object.fromEntries(fitting)).toEqual({
    [known]: 'ticket 12',
    [untried]: 'ticket 13',
    [other]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: expected 50 cards; got 70 cards',
  });
  expect(exitCode(applyBaseline(result, fitting))).toBe(0);
});

test('blocked and untested clauses can be in the baseline, and with them a broken endpoint', () => {
  const exchange = {
    at: '2026-03-01T10:00:00.000Z',
    ms: 1,
    method: 'GET' as const,
    path: '/api/GiftCard/GetById/card#1',
    requestHeaders: { 'x-api-key': '«key»' },
    status: 500,
    contentType: 'text/plain',
    body: '',
  };
  const result = runResult([
    clauseResult(known, { verdict: 'blocked', detail: 'looking: answered 500', exchanges: [exchange] }),
    clauseResult(other, { verdict: 'untested', reason: 'control-failed', detail: 'the control failed' }),
    clauseResult(untried, { verdict: 'untested', reason: 'budget' }),
  ]);
  expect(exitCode(result)).toBe(4);
  const fitting = buildBaseline(result, new Map());
  expect(Object.fromEntries(fitting)).toEqual({
    [known]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: not tested, looking: answered 500',
    [other]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: not tested, the control failed',
  });
  const excused = applyBaseline(result, fitting);
  expect(excused.clauses.map(({ verdict }) => verdict)).toEqual(['known-fail', 'known-fail', 'untested']);
  expect(exitCode(excused)).toBe(0);
});

test('a written baseline is read unchanged', () => {
  writeBaseline(file, baseline);
  expect(readBaseline(file)).toEqual(baseline);
  expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
});

test.each([
  ['{', 'is not JSON: line 1, column 2'],
  ['[]', 'must be a JSON object'],
  ['{"no.such-clause": "x"}', 'names "no.such-clause", which is not a clause'],
  [`{"${known}": " "}`, `gives no reason for "${known}"`],
])('an invalid baseline is a usage error: %s', (text, message) => {
  writeFileSync(file, text);
  expect(() => readBaseline(file)).toThrow(message);
});
