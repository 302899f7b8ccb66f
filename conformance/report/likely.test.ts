import { expect, test } from 'vitest';
import { clauseResult } from '../testing/result-fixture.ts';
import { likely } from './likely.ts';

const of = (got: string) => likely(clauseResult('adjustment.answers-200', { verdict: 'fail', got }));

test('a common mistake is named if the answer shows it', () => {
  expect(of('201 true')).toContain('201');
  expect(of('204 (no body)')).toBeUndefined();
});

test.each([502, 503, 504])('%i names the gateway', (status) => {
  expect(of(`${status} <html><body><h1>Bad Gateway</h1></body></html>`)).toContain('gateway');
  expect(of('500 broken')).toBeUndefined();
});

test('a clause that passes has no explanation', () => {
  expect(likely(clauseResult('adjustment.by-id.refuses-overdraw'))).toBeUndefined();
});
