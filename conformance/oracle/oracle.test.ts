import { describe, expect, test } from 'vitest';
import {
  adjustByIdRow,
  adjustRow,
  cardJson,
  createRow,
  type ExchangeRow,
  get,
  listRow,
  observeAll,
  voidRow,
} from '../testing/exchanges-fixture.ts';
import { Oracle } from './oracle.ts';

type Rows = readonly (ExchangeRow | readonly ExchangeRow[])[];
const findingsOf = (rows: Rows, isOnlyClient = false) =>
  observeAll(rows, isOnlyClient)
    .filter(({ kind }) => kind === 'violated' || kind === 'possible')
    .map(({ kind, rule }) => [kind, rule]);

const [refused, conflict, notFound] = [
  { status: 400, response: undefined },
  { status: 409, response: undefined },
  { status: 404, response: undefined },
];
const other = { ...cardJson('a', 5), id: 'other' };
const [u, x] = [{ uniqueId: 'u' }, { uniqueAdjustmentId: 'x' }];
const history = (code: string, balance: number, rows: readonly object[]): ExchangeRow => ({
  operation: 'listAdjustmentsByGiftCardCode',
  name: code,
  response: { giftCard: cardJson(code, balance), adjustments: rows },
});
const issued = (code: string, createdAtUtc: string) =>
  createRow(code, 5, {}, { response: cardJson(code, 5, 'Active', { createdAtUtc }) });
const since = { since: '2026-01-02T00:00:00Z' };
describe('a violation that no other client can have caused', () => {
  test.each<[string, Rows]>([
    ['gift-card.create.starts-with-given-balance', [createRow('a', 5, {}, { response: cardJson('a', 4) })]],
    ['gift-card.create.starts-active', [createRow('a', 5, {}, { response: cardJson('a', 5, 'Redeemed') })]],
    ['gift-card.create.keeps-given-code', [createRow('a', 5, {}, { response: cardJson('b', 5) })]],
    ['gift-card.create.stores-custom-fields', [createRow('a', 5, { customField1: 'mine' })]],
    ['gift-card.create.returns-200', [createRow('a', 5, {}, { status: 201 })]],
    ['gift-card.create.returns-the-card', [createRow('a', 5, {}, { response: 'created' })]],
    [
      'gift-card.create.gifted-needs-buyer-name',
      [createRow('a', 5, { sendAsGift: true, shouldSendNotification: true, recipientName: 'R' })],
    ],
    ['gift-card.response.has-named-fields', [{ ...get('a', 5), response: { ...cardJson('a', 5), balance: '5' } }]],
    ['gift-card.response.status-is-one-of-five', [get('a', 5, 'Blocked')]],
    ['gift-card.get-by-code.returns-the-card', [{ ...get('a', 5), response: cardJson('b', 5) }]],
    ['http.camel-case-names', [{ ...get('a', 5), response: { ...cardJson('a', 5), Gift_Note: 1 } }]],
    ['http.json-bodies', [{ ...get('a', 5), response: undefined }]],
    ['adjustment.returns-true', [adjustRow('a', 1, {}, { response: { ok: true } })]],
    ['adjustment.requires-actioned-at', [adjustRow('a', 1, { actionedAtUtc: undefined })]],
    ['idempotency.adjustment.refuses-repeat', [adjustRow('a', 1, x), adjustRow('a', 1, x)]],
    ['idempotency.adjustment.repeat-on-other-card-refused', [adjustRow('a', 1, x), adjustRow('b', 1, x)]],
    [
      'idempotency.adjustment.repeat-by-other-endpoint-refused',
      [createRow('a', 5), adjustRow('a', 1, x), adjustByIdRow('a', 1, x)],
    ],
    ['idempotency.adjustment.repeat-with-other-content-refused', [adjustRow('a', 1, x), adjustRow('a', 2, x)]],
    ['idempotency.adjustment.parallel-counts-once', [[adjustRow('a', 1, x), adjustRow('a', 1, x)]]],
    ['authentication.missing-key-is-401', [{ ...get('a', 5), key: null }]],
    ['list.page-size-limits', [listRow([{}, {}], { pageSize: '1' })]],
    ['list.wraps-cards-and-total', [listRow([cardJson('a', 5), cardJson('a', 5)])]],
    ['list.wraps-cards-and-total', [listRow([], {}, -1.5)]],
    ['list.since-goes-by-issue', [issued('a', '2026-01-01T00:00:00Z'), listRow([cardJson('a', 5)], since)]],
    ['gift-card.create.refuses-taken-code', [listRow([cardJson('a', 5), other])]],
    [
      'adjustment.history.by-code-shows-card-and-entries',
      [createRow('a', 5), { ...history('a', 5, []), response: { rows: [] } }],
    ],
    ['robustness.get-by-code', [{ ...get('a', 5), status: 500, response: undefined }]],
  ])('%s', (rule, rows) => {
    expect(findingsOf(rows)).toEqual([['violated', rule]]);
  });
});

describe('a finding that is a violation only if no other client acts', () => {
  const both = [createRow('a', 5), createRow('b', 5)];
  test.each<[string, Rows]>([
    ['errors.rejection-is-400-plain-text', [createRow('a', 5, u), createRow('a', 5, u, { status: 400, response: { error: 1 } })]],
    ['adjustment.positive-tops-up', [createRow('a', 5), adjustRow('a', 2), get('a', 6)]],
    ['adjustment.negative-redeems', [createRow('a', 5), adjustByIdRow('a', -2), get('a', 5)]],
    ['adjustment.parallel-all-count', [createRow('a', 5), [adjustRow('a', 2), adjustRow('a', 2)], get('a', 7)]],
    ['gift-card.get-by-code.returns-the-card', [createRow('a', 5), get('a', 6)]],
    ['gift-card.get-by-code.returns-the-card', [createRow('a', 5), { ...get('a', 5), ...notFound }]],
    [
      'gift-card.custom-fields.never-change',
      [createRow('a', 5, { customField1: 'm' }, { response: cardJson('a', 5, 'Active', { customField1: 'm' }) }), get('a', 5)],
    ],
    ['errors.refusal-changes-nothing', [createRow('a', 5), adjustRow('a', -9, {}, refused), get('a', -4)]],
    ['adjustment.by-id.refuses-overdraw', [createRow('a', 5), adjustByIdRow('a', -6)]],
    ['adjustment.by-id.refuses-redemption-below-zero', [createRow('a', 5), adjustRow('a', -6), adjustByIdRow('a', -1)]],
    ['adjustment.positive-tops-up', [createRow('a', 5), adjustRow('a', 1, {}, notFound)]],
    ['gift-card.void.by-code-voids', [createRow('a', 5), { ...voidRow('a'), ...notFound }]],
    ['gift-card.void.by-code-voids', [createRow('a', 5), voidRow('a'), get('a', 0)]],
    ['gift-card.void.is-final', [createRow('a', 5), voidRow('a'), get('a', 0, 'Voided'), get('a', 0)]],
    ['gift-card.void.zeroes-balance', [createRow('a', 5), voidRow('a'), get('a', 5, 'Voided')]],
    ['gift-card.void.still-found', [createRow('a', 5), voidRow('a'), { ...get('a', 5), ...notFound }]],
    ['idempotency.create.refuses-repeat', [createRow('a', 5, u), createRow('b', 5, u)]],
    ['idempotency.create.refuses-repeat', [createRow('a', 5, u), createRow('a', 5, u, conflict)]],
    ['idempotency.create.parallel-makes-one', [[createRow('a', 5, u), createRow('b', 5, u)]]],
    ['gift-card.create.refuses-taken-code', [createRow('a', 5), createRow('a', 5, {}, { response: other })]],
    ['list.wraps-cards-and-total', [...both, listRow([cardJson('a', 5)])]],
    ['list.includes-voided', [...both, voidRow('a'), listRow([cardJson('b', 5)])]],
    ['list.includes-redeemed', [...both, adjustRow('a', -5), get('a', 0), listRow([cardJson('b', 5)])]],
    ['list.since-is-strictly-after', [issued('a', '2026-01-03T00:00:00Z'), listRow([], since)]],
    ['adjustment.positive-tops-up', [...both, adjustRow('a', 1), listRow([cardJson('a', 5), cardJson('b', 5)])]],
    ['adjustment.negative-redeems', [createRow('a', 5), adjustRow('a', -2), history('a', 5, [])]],
  ])('%s', (rule, rows) => {
    const of = (onlyClient: boolean) => [...new Set(findingsOf(rows, onlyClient).map((each) => each.join(' ')))];
    expect(of(false)).toEqual([`possible ${rule}`]);
    expect(of(true)).toContain(`violated ${rule}`);
  });
});

test.each<[string, ExchangeRow, string]>([
  ['a top-up by code', adjustRow('a', 1, {}, refused), 'adjustment.positive-tops-up'],
  ['a redemption by ID', adjustByIdRow('a', -1, {}, refused), 'adjustment.negative-redeems'],
  ['the whole balance by ID', adjustByIdRow('a', -5, {}, refused), 'adjustment.by-id.takes-whole-balance'],
  ['more than the balance by code', adjustRow('a', -6, {}, refused), 'adjustment.by-code.may-go-negative'],
])('a refusal of %s has no other reason only if no other client acts', (_, row, rule) => {
  const before = [createRow('a', 5), adjustRow('a', 1), adjustByIdRow('a', -1), get('a', 5)];
  expect([findingsOf([...before, row]), findingsOf([...before, row], true)]).toEqual([[], [['violated', rule]]]);
});

test('a finding names the exchanges that show it', () => {
  const rows = [createRow('a', 5), adjustRow('a', 2), adjustByIdRow('a', -1), get('a', 7)];
  expect(observeAll(rows, true).at(-1)?.exchanges).toEqual([1, 2, 3, 4]);
});

test('after a write outside the contract, the oracle forgets all accounts', () => {
  const oracle = new Oracle({ isOnlyClient: true });
  const at = { at: 0, ms: 1, headers: { 'x-api-key': 'k' }, body: '' };
  const response = (json: unknown) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const target = '/api/GiftCard/GetByCode/a';
  const findings = [
    { ...at, method: 'GET', target, response: response(cardJson('a', 5)) },
    { ...at, method: 'POST', target: '/__mock/clock', response: response({}) },
    { ...at, method: 'GET', target, response: response(cardJson('a', 9)) },
  ].flatMap((exchange) => oracle.observe(exchange));
  expect(findings.filter(({ kind }) => kind === 'violated')).toEqual([]);
});
