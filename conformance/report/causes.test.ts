import { expect, test } from 'vitest';
import { neverAnswered } from '../core/endpoints.ts';
import { clauseResult, overdraw, runResult } from '../testing/result-fixture.ts';
import { causesOf } from './causes.ts';
import { htmlReport } from './html/page.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { textReport } from './text.ts';

const exchange = (path: string, status: number) => ({
  at: '2026-03-01T10:00:01.000Z',
  ms: 3,
  method: 'GET',
  path,
  requestHeaders: { 'x-api-key': '«key»' },
  status,
  contentType: 'text/plain',
  body: 'no',
});

const history = (number: number) => [exchange(`/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/card#${number}`, 500)];
const absent = (name: Parameters<typeof clauseResult>[0], number: number) =>
  clauseResult(name, { verdict: 'fail', expected: `the history of ${name}`, got: '500 no', exchanges: history(number) });

const result = runResult([
  overdraw,
  absent('adjustment.keeps-notes', 1),
  absent('adjustment.keeps-actioned-at', 2),
  clauseResult('list.page-size-default', { verdict: 'blocked', detail: 'creating card#3: answered 400' }),
  clauseResult('list.page-size-limits', { verdict: 'blocked', detail: 'creating card#4: answered 400' }),
  clauseResult('gift-card.void.in-history', {
    level: 'open',
    verdict: 'blocked',
    detail: 'its history: GET … answered 500 no',
    exchanges: history(5),
  }),
]);

const says = 'GET /api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/{code} never succeeded: 500';

test('clauses are of one cause where the same endpoint stood in the way, or the same words but for the number of a card', () => {
  const causes = causesOf(result.clauses, neverAnswered(result)).map((each) => [each.says, each.clauses.length]);
  expect(causes).toEqual([
    [says, 3],
    ['creating card#3: answered 400', 2],
    ['expected redeeming 1.50 of 0.60 by ID refused; got 200 true', 1],
  ]);
});

test('what was violated before such an endpoint was asked is a cause of its own', () => {
  const clause = clauseResult('adjustment.keeps-notes', { verdict: 'fail', expected: '1', got: '2', exchanges: history(1) });
  expect(causesOf([clause], neverAnswered(runResult([clause])))[0]?.says).toBe('expected 1; got 2');
});

test('every format tells a cause once, with the names of what hangs on it', () => {
  const group = `FAIL  2 clauses: ${says}\n    adjustment.keeps-notes\n    adjustment.keeps-actioned-at\n  Again `;
  const text = textReport(result);
  expect(text).toContain(group);
  expect(text.indexOf('NEVER ANSWERED WITH SUCCESS  ')).toBe(0);
  expect(text.indexOf('FAIL  adjustment.by-id.refuses-overdraw')).toBeLessThan(text.indexOf(group));
  expect(text).toContain(`  creating card#3: answered 400\n    list.page-size-default\n    list.page-size-limits\n`);
  const markdown = markdownReport([result]);
  expect(markdown).toContain(group);
  expect(markdown.indexOf('NEVER ANSWERED WITH SUCCESS  ')).toBeLessThan(markdown.indexOf('FAIL  '));
  expect(junitReport([result])).toContain(`<failure message="${says} (the same of 3 clauses)">`);
  const page = htmlReport([result]);
  expect(page).toContain(`<p class="cause">2 clauses: ${says}</p>`);
  expect(page).toContain('Never answered with success: GET /api/GiftCardAdjustment/');
});

test('what is done many times over is told once', () => {
  const did = ['a → 200', ...['id', 'cardId'].map((name) => `adjust, named as ${name} → 500`), 'b', 'b', 'b'];
  const text = textReport(runResult([{ ...overdraw, did }]));
  expect(text).toContain('  Did        a → 200; adjust, named as id → 500 and 1 more such; b and 2 more such\n');
});
