import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { ruleResult, runResult } from '../testing/result-fixture.ts';
import { applyBaseline, type Baseline, buildBaseline, leaveCardsOf, readBaseline, writeBaseline } from './baseline.ts';
import { endingOfRun } from './run-ending.ts';

const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'baseline.json');

const [known, fixed, other, untried] = [
  'adjustment.returns-200',
  'adjustment.returns-true',
  'list.page-size-maximum',
  'gift-card.void.again',
] as const;
const baseline = new Map<string, string>([
  [known, 'ticket 12'],
  [untried, 'ticket 13'],
]);

test('a failure in the baseline does not fail the run; a new failure does', () => {
  const fails = [known, other].map((name) => ruleResult(name, { verdict: 'fail' }));
  const result = applyBaseline(runResult(fails), baseline);
  expect(result.rules).toMatchObject([{ verdict: 'known-fail', known: 'ticket 12' }, { verdict: 'fail' }]);
  expect(endingOfRun(result).code).toBe(1);
  expect(endingOfRun(applyBaseline(runResult(fails.slice(0, 1)), baseline)).code).toBe(0);
});

test('an entry whose rule passes is stale and fails the run; an entry whose rule was not run is not stale', () => {
  const result = runResult([ruleResult(known), ruleResult(untried, { verdict: 'untested', reason: 'budget' })]);
  expect(endingOfRun(result).code).toBe(0);
  expect(applyBaseline(result, baseline).staleBaseline).toEqual([known]);
  expect(endingOfRun(applyBaseline(result, baseline)).code).toBe(1);
});

test('a baseline does not excuse a missing response', () => {
  const broken = runResult([ruleResult(known, { verdict: 'error', fault: 'transport' })]);
  expect(applyBaseline(broken, baseline).rules).toMatchObject([{ verdict: 'error' }]);
});

test('a new baseline keeps reasons, drops rules that pass, and describes new failures', () => {
  const result = runResult([
    ruleResult(known, { verdict: 'fail', expected: '200', got: '201' }),
    ruleResult(fixed),
    ruleResult(other, { verdict: 'fail', expected: '50 cards', got: '70 cards' }),
  ]);
  const fitting = buildBaseline(result, new Map([...baseline, [fixed, 'ticket 14']]));
  expect(Object.fromEntries(fitting)).toEqual({
    [known]: 'ticket 12',
    [untried]: 'ticket 13',
    [other]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: expected 50 cards; got 70 cards',
  });
  expect(endingOfRun(applyBaseline(result, fitting)).code).toBe(0);
});

/** An exchange of GetById. */
const look = (status: number): Exchange => ({
  at: '2026-03-01T10:00:00.000Z',
  ms: 1,
  method: 'GET',
  path: '/api/GiftCard/GetById/card#1',
  requestHeaders: { 'x-api-key': '«key»' },
  status,
  contentType: 'text/plain',
  body: '',
});
const byId = 'GET /api/GiftCard/GetById/{id}';
const missingById = [
  ruleResult(known, { verdict: 'fail', expected: 'returned 200', got: '404 no', exchanges: [look(404)] }),
  ruleResult(fixed, { verdict: 'blocked', detail: 'a card by ID returned 404 no', exchanges: [look(404)] }),
  ruleResult(other, {
    verdict: 'untested',
    reason: 'control-failed',
    detail: 'the control failed: the card is found',
    exchanges: [look(404)],
  }),
];

test('blocked and untested rules can be in the baseline, and with them a broken endpoint', () => {
  const exchange = look(500);
  const result = runResult([
    ruleResult(known, { verdict: 'blocked', detail: 'looking: returned 500', exchanges: [exchange] }),
    ruleResult(other, { verdict: 'untested', reason: 'control-failed', detail: 'the control failed' }),
    ruleResult(untried, { verdict: 'untested', reason: 'budget' }),
  ]);
  expect(endingOfRun(result).code).toBe(4);
  const fitting = buildBaseline(result, new Map());
  expect(Object.fromEntries(fitting)).toEqual({
    [`not tested: ${known}`]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: looking: returned 500',
    [`not tested: ${other}`]: 'REASON WANTED: why may this stay for now? Seen 2026-03-01: the control failed',
  });
  const excused = applyBaseline(result, fitting);
  expect(excused.rules.map(({ verdict }) => verdict)).toEqual(['known-fail', 'known-fail', 'untested']);
  expect(endingOfRun(excused).code).toBe(0);
});

test('a missing operation is one line, which excuses what follows from it and nothing else', () => {
  const violated = ruleResult(untried, { verdict: 'fail', expected: '1', got: '2', exchanges: [look(404)] });
  const result = runResult([...missingById, violated]);
  const built = buildBaseline(result, new Map());
  expect([...built.keys()]).toEqual([byId, untried]);
  const verdicts = (entries: Baseline) => applyBaseline(result, entries).rules.map(({ verdict }) => verdict);
  expect(verdicts(built)).toEqual(['known-fail', 'known-fail', 'known-fail', 'known-fail']);
  expect(verdicts(new Map([[byId, 'ticket 15']]))).toEqual(['known-fail', 'known-fail', 'known-fail', 'fail']);
  expect(applyBaseline(result, new Map([[byId, 'ticket 15']])).rules[0]?.known).toBe(`${byId} is missing: ticket 15`);
});

test('the entry of a violation is stale once only a missing operation stops the rule, which has its own entry', () => {
  const result = runResult([...missingById]);
  const [, blocked] = missingById.map(({ name }) => name);
  const entries = new Map([
    [byId, 'ticket 15'],
    [String(blocked), 'ticket 12'],
  ]);
  expect(applyBaseline(result, entries).staleBaseline).toEqual([blocked]);
  expect([...buildBaseline(result, entries)]).toEqual([[byId, 'ticket 15']]);
  expect(applyBaseline(result, new Map([[String(blocked), 'ticket 12']])).staleBaseline).toEqual([]);
});

test('an operation that returns something else is not missing, and its entry is stale once a request succeeds', () => {
  const broken = runResult([...missingById, ruleResult(untried, { exchanges: [look(500)] })]);
  expect(buildBaseline(broken, new Map()).has(byId)).toBe(false);
  const entry = new Map([[byId, 'ticket 15']]);
  expect(applyBaseline(broken, entry).staleBaseline).toEqual([]);
  const appeared = runResult([ruleResult(known, { exchanges: [look(404), look(200)] })]);
  expect(applyBaseline(appeared, entry).staleBaseline).toEqual([byId]);
  expect(endingOfRun(applyBaseline(appeared, entry)).code).toBe(1);
  expect(buildBaseline(appeared, entry).size).toBe(0);
});

test('a rule that is blocked in one run and passes in the next never fails a run; a violation does', () => {
  const [blocked, passed] = [
    runResult([ruleResult(known), ruleResult(other, { verdict: 'blocked', detail: 'looking: returned 500' })]),
    runResult([ruleResult(known), ruleResult(other)]),
  ];
  let entries = buildBaseline(blocked, new Map());
  for (const result of [passed, blocked, passed, blocked]) {
    expect(endingOfRun(applyBaseline(result, entries)).code).toBe(0);
    entries = buildBaseline(result, entries);
  }
  const violated = runResult([ruleResult(known), ruleResult(other, { verdict: 'fail', expected: '1', got: '2' })]);
  expect(endingOfRun(applyBaseline(violated, entries)).code).toBe(1);
});

test('an entry without a reason passes, and the exit code says so', () => {
  const result = runResult([ruleResult(known, { verdict: 'fail', expected: '1', got: '2' }), ruleResult(other)]);
  const { code, because } = endingOfRun(applyBaseline(result, buildBaseline(result, new Map())));
  expect([code, because]).toEqual([0, [expect.stringMatching(/^1 line .*REASON WANTED/)]]);
  expect(endingOfRun(applyBaseline(result, new Map([[known, 'ticket 12']]))).because).toEqual([]);
});

test('cards that may be left are in the baseline, until the target voids cards', () => {
  const left = { created: 3, voided: 0, left: ['card#1', 'card#2', 'card#3'] };
  const result = runResult([ruleResult(known)], { cards: left, leaveCards: 5 });
  const built = buildBaseline(result, new Map([['--leave-cards 4', 'an old number']]));
  expect([[...built.keys()], leaveCardsOf(built)]).toEqual([['--leave-cards 5'], 5]);
  const kept = applyBaseline(result, built);
  expect([endingOfRun(kept).code, kept.staleBaseline]).toEqual([0, []]);
  expect(endingOfRun({ ...result, leaveCards: 2 }).code).toBe(5);
  expect(applyBaseline(runResult([ruleResult(known)]), built).staleBaseline).toEqual(['--leave-cards 5']);
});

test('a written baseline is read unchanged', () => {
  writeBaseline(file, baseline);
  expect(readBaseline(file)).toEqual(baseline);
  expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
});

test.each([
  ['{', 'is not JSON: line 1, column 2'],
  ['[]', 'must be a JSON object'],
  ['{"no.such-rule": "x"}', 'names "no.such-rule", which is not a rule'],
  ['{"adjustment.return-200": "x"}', 'Did you mean "adjustment.returns-200"?'],
  ['{"not tested: adjustment.return-200": "x"}', 'Did you mean "adjustment.returns-200"?'],
  ['{"GET /api/Webhook/Lists": "x"}', 'Did you mean "GET /api/Webhook/List"?'],
  ['{"--leave-cards": "x"}', 'Did you mean "--leave-cards 1"?'],
  [`{"${known}": " "}`, `gives no reason for "${known}"`],
])('an invalid baseline is a usage error: %s', (text, message) => {
  writeFileSync(file, text);
  expect(() => readBaseline(file)).toThrow(message);
});
