import { expect, test } from 'vitest';
import { ruleTexts } from '../core/contract.ts';
import { ruleResult } from '../testing/result-fixture.ts';
import { likely } from './likely.ts';

const of = (name: Parameters<typeof ruleResult>[0], got: string) => likely(ruleResult(name, { verdict: 'fail', got }));

test.each([
  ['gift-card.amounts-exact', '1.0000000000000002', '1.01'],
  ['adjustment.by-id.takes-whole-balance', '400 too large', '500 broken'],
  ['idempotency.create.parallel-makes-one', '[200,200,400,400]', '[200,200,200,200]'],
  ['adjustment.by-id.parallel-never-overdraws', '3', '4'],
  ['adjustment.parallel-all-count', '1.22', '1'],
] as const)('the mistake behind %s is named only if the response shows it', (name, shown, other) => {
  expect([of(name, shown), of(name, other)]).toEqual([expect.any(String), undefined]);
});

test('no rule has a hint for a 404', () => {
  for (const name of ruleTexts.keys()) expect(of(name, '404 {"message":"Not found"}')).toBeUndefined();
});

test.each([502, 503, 504])('%i names the gateway', (status) => {
  expect(of('adjustment.returns-200', `${status} <html><body><h1>Bad Gateway</h1></body></html>`)).toContain('gateway');
  expect(of('adjustment.returns-200', '500 broken')).toBeUndefined();
});

test('a rule that passes has no explanation', () => {
  expect(likely(ruleResult('adjustment.by-id.takes-whole-balance'))).toBeUndefined();
});

test.each([
  ['2044-10-11T08:13:14.000Z', "exactly 4 h early: the server's time zone?"],
  ['2044-10-11T17:43:14', "exactly 5.5 h late: the server's time zone?"],
  ['2044-10-11T12:13:15.000Z', undefined],
  ['2044-10-13T12:13:14.000Z', undefined],
  ['nothing', undefined],
])('%s is explained by a time zone only if the difference is the offset of one', (got, text) => {
  const expected = 'ExpiresAtUtc = 2044-10-11T12:13:14.000Z';
  expect(likely(ruleResult('delivery.payload.expiry', { verdict: 'fail', expected, got: `"${got}"` }))).toBe(text);
});
