import { expect, test } from 'vitest';
import { clauseResult, everyVerdict, overdraw, runResult } from '../testing/result-fixture.ts';
import { documentOf } from './build-document.ts';
import { textReport } from './text.ts';

const text = (result: Parameters<typeof documentOf>[0][number], options = {}) => textReport(documentOf([result]), options);

test('a failure shows what was done, expected and got, its control, its request, its deliveries and how to run it again', () => {
  const report = text(
    runResult([{ ...overdraw, deliveries: ['giftcard/voided of card#1 arrived at 1 of 2 webhooks, missing at twin'] }]),
    { page: 'out/report.html' },
  );
  expect(report.split('\n')[0]).toBe('1 clause of 1 violated');
  const labels = [...report.matchAll(/^ {2}([A-Z][a-z ]+?) {2,}/gm)].map(([, label]) => label);
  expect(labels).toEqual([
    'Did',
    'Expected',
    'Got',
    'Control',
    'Assumes',
    'Not checked',
    'Likely',
    'Request',
    'Deliveries',
    'Again',
    'Evidence',
  ]);
  expect(report.trimEnd().split('\n').at(-1)).toMatch(/^Exit code 1: 1 clause/);
});

test('hidden items are counted', () => {
  const result = runResult([
    clauseResult('gift-card.void.again', { verdict: 'observed', observation: { option: '200', text: '200' } }),
  ]);
  expect(text(result)).toContain('1 more item: --verbose');
  expect(text(result, { verbose: true })).not.toContain('--verbose');
});

test('a green run takes at most fifteen lines and names no observed or untested clause', () => {
  const clauses = ['adjustment.answers-true', 'adjustment.answers-200', 'list.page-size-default'].map((name) =>
    clauseResult(name as 'adjustment.answers-true'),
  );
  const untested = clauseResult('webhook.create.answers-200', { verdict: 'untested', reason: 'no-receiver', detail: 'none' });
  const observed = clauseResult('gift-card.void.again', {
    level: 'open',
    verdict: 'observed',
    observation: { option: '200', text: '200' },
  });
  const green = runResult([...clauses, untested, observed]);
  expect(text(green).trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  expect(text(green)).not.toContain('gift-card.void.again');
  expect(text(green, { verbose: true })).toMatch(/gift-card\.void\.again +200/);
  expect(text(green, { verbose: true })).toContain('no-receiver: none');
});

test('every verdict is counted, by level', () => {
  const report = text(everyVerdict);
  expect(report).toContain('stated     1 pass, 1 fail, 1 known-fail, 1 untested, 1 blocked, 1 error of 6');
  expect(report).toContain('robustness 0 pass, 1 fail of 1');
});

test('failures with one cause are listed together', () => {
  const exchanges = overdraw.exchanges.map((each) => ({ ...each, status: 500 }));
  const alike = (['adjustment.keeps-notes', 'adjustment.keeps-actioned-at'] as const).map((name, index) =>
    clauseResult(name, { verdict: 'fail', expected: `card#${index}`, got: '500 no', exchanges: exchanges.slice(0, 1) }),
  );
  const report = text(runResult(alike));
  expect(report).toMatch(/FAIL {2}adjustment\.keeps-notes [\s\S]*\n {2}Also 1 +adjustment\.keeps-actioned-at\n/);
});

test('the request of a failure is the one with the wrong answer', () => {
  const common = { at: '', ms: 1, method: 'POST', requestHeaders: {}, contentType: 'text/plain' };
  const accepted = { ...common, path: '/api/Taken', requestBody: '{"code":"card#7"}', status: 200, body: 'true' };
  const refused = { ...common, path: '/api/Refused', status: 400, body: 'no' };
  const failed = clauseResult('errors.refusal-changes-nothing', {
    verdict: 'fail',
    got: '200 true',
    exchanges: [accepted, refused],
  });
  expect(text(runResult([failed]))).toMatch(/Request +curl .*\/api\/Taken.*"\$card_7"/);
  expect(text(runResult([{ ...failed, got: 'balance 3' }]))).toMatch(/Request +curl .*\/api\/Refused/);
});
