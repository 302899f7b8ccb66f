import { describe, expect, test } from 'vitest';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { sandboxOf } from '../testing/fixture.ts';

/** What can be wrong with a request, in the order in which it is said by default, and the status that says it. */
const RULES = [
  ['size', 413],
  ['key', 401],
  ['rate', 429],
  ['request', 400],
  ['record', 404],
] as const;
type Rule = (typeof RULES)[number][0];

const either = [false, true];
/** Of each rule but the last, whether the next one is said ahead of it. */
const orders = either.flatMap((size) =>
  either.flatMap((key) => either.flatMap((rate) => either.map((request) => [size, key, rate, request]))),
);
const pairs = RULES.flatMap(([one], index) => RULES.slice(index + 1).map(([other]) => [one, other] as const));

function behaviorsOf([size, key, rate, request]: readonly boolean[]) {
  return {
    'http.order.size-or-key': size ? 'key' : 'size',
    'http.order.key-or-limit': key ? 'limit' : 'key',
    'http.order.limit-or-request': rate ? 'request' : 'limit',
    'http.order.request-or-record': request ? 'record' : 'request',
  } as const;
}

/** An adjustment with exactly this wrong; its status. */
function asked(turned: readonly boolean[], wrong: readonly Rule[]): number {
  const account = { keys: [{ key: 'good' }, { key: 'gone', deleted: true }], cards: [{ code: 'A-1', initialValue: 50 }] };
  const { sandbox, ask } = sandboxOf([account], { rateLimit: 1, behaviors: behaviorsOf(turned) });
  if (wrong.includes('rate')) expect(ask('GET', '/api/Company/Profile').status).toBe(200);
  const fields = {
    giftCardCode: wrong.includes('record') ? 'NONE' : 'A-1',
    adjustmentAmount: wrong.includes('request') ? 'many' : 5,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId: 'one',
    notes: wrong.includes('size') ? 'x'.repeat(clauseValues['http.body-size-limit']) : null,
  };
  const path = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
  const { status } = ask('POST', path, fields, wrong.includes('key') ? 'gone' : 'good');
  expect(sandbox.defects).toEqual([]);
  return status;
}

describe.each(orders.map((turned) => [Object.values(behaviorsOf(turned)).join(', '), turned] as const))('%s', (_, turned) => {
  test.each(RULES)('%s alone', (rule, status) => {
    expect(asked(turned, [rule])).toBe(status);
  });

  // Two that no reading names side by side are turned round only where all behaviors between them leave no other way. A card is looked for by
  // whoever is allowed to ask, unless the request is no good.
  test.each(pairs)('%s and %s', (one, other) => {
    const [first, last] = [one, other].map((rule) => RULES.findIndex(([name]) => name === rule)) as [number, number];
    const isTurned = turned.slice(first, last).every(Boolean) && (other !== 'record' || one === 'request');
    expect(asked(turned, [one, other])).toBe(RULES[isTurned ? last : first]?.[1]);
  });

  test('what is so large that nothing of it is kept is said to be too large', () => {
    const { sandbox, account } = sandboxOf([{}], { behaviors: { ...behaviorsOf(turned), 'http.body-size-limit': 'unlimited' } });
    const headers = { 'x-api-key': account.keys[0]?.key };
    const { answer } = sandbox.handle({ method: 'POST', target: '/api/GiftCard/Create', headers, body: 'too large' });
    expect([answer.status, sandbox.defects]).toEqual([413, []]);
  });
});
