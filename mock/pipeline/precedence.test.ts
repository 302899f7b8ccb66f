import { expect, test } from 'vitest';
import { sandboxOf } from '../testing/fixture.ts';
import { serveNow } from './handle.ts';

/** The possible faults of a request in the order of precedence, with the status of each refusal. */
const RULES = [
  ['size', 413],
  ['key', 401],
  ['rate', 429],
  ['request', 400],
  ['record', 404],
] as const;
type Rule = (typeof RULES)[number][0];

/** Returns the status of an adjustment with these faults. */
function statusOf(wrong: readonly Rule[]): number {
  const account = { keys: [{ key: 'good' }, { key: 'gone', deleted: true }], cards: [{ code: 'A-1', initialValue: 50 }] };
  const { sandbox, send } = sandboxOf([account], { rateLimit: 1 });
  if (wrong.includes('rate')) expect(send('GET', '/api/Company/Profile').status).toBe(200);
  const fields = {
    giftCardCode: wrong.includes('record') ? 'NONE' : 'A-1',
    adjustmentAmount: wrong.includes('request') ? 'many' : 5,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId: 'one',
    notes: wrong.includes('size') ? 'x'.repeat(1_048_576) : null,
  };
  const path = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
  const { status } = send('POST', path, fields, wrong.includes('key') ? 'gone' : 'good');
  expect(sandbox.defects).toEqual([]);
  return status;
}

test.each(RULES)('%s alone', (rule, status) => {
  expect(statusOf([rule])).toBe(status);
});

test.each(RULES.flatMap(([one, status], index) => RULES.slice(index + 1).map(([other]) => [one, other, status] as const)))(
  '%s before %s',
  (one, other, status) => {
    expect(statusOf([one, other])).toBe(status);
  },
);

test('a body that was not read to its end is too large', () => {
  const { sandbox, account } = sandboxOf();
  const headers = { 'x-api-key': account.keys[0]?.key };
  const { response } = serveNow(sandbox, { method: 'POST', target: '/api/GiftCard/Create', headers, body: 'too large' });
  expect([response.status, sandbox.defects]).toEqual([413, []]);
});
