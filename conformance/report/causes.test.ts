import { expect, test } from 'vitest';
import { neverSucceeded } from '../core/endpoints.ts';
import { ruleResult, runResult } from '../testing/result-fixture.ts';
import { causeOfRule, groupByCause } from './document.ts';

const history = (number: number) => [
  {
    at: '2026-03-01T10:00:01.000Z',
    ms: 3,
    method: 'GET',
    path: `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/card#${number}`,
    requestHeaders: { 'x-api-key': '«key»' },
    status: 500,
    contentType: 'text/plain',
    body: 'no',
  },
];

test('the endpoint that never succeeded is the cause, unless the rule failed before it', () => {
  const stopped = ruleResult('adjustment.keeps-notes', {
    verdict: 'fail',
    expected: '1',
    got: '500 no',
    exchanges: history(1),
  });
  const earlier = ruleResult('adjustment.keeps-notes', { verdict: 'fail', expected: '1', got: '2', exchanges: history(1) });
  const failing = neverSucceeded(runResult([stopped]));
  expect(causeOfRule(stopped, failing)).toMatch(/ListAdjustmentsByGiftCardCode\/\{code\} never succeeded: 500$/);
  expect(causeOfRule(earlier, failing)).toBe('expected 1; got 2');
});

test('causes that differ in the number of a card are one', () => {
  const items = ['creating card#3: 400', 'creating card#4: 400', 'other'].map((cause) => ({ status: 'blocked', cause }));
  expect(groupByCause(items).map((group) => group.length)).toEqual([2, 1]);
});
