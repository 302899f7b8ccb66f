import { describe, expect, test } from 'vitest';
import { adjust, byId, card, create, get, judged, list, type Row, voided } from '../testing/exchanges-fixture.ts';
import { createOracle } from './oracle.ts';

type Rows = readonly (Row | readonly Row[])[];
const found = (rows: Rows, onlyClient = false) =>
  judged(rows, onlyClient)
    .findings.filter(({ kind }) => kind === 'violated' || kind === 'possible')
    .map(({ kind, clause }) => [kind, clause]);

const [refused, conflict, notFound] = [
  { status: 400, told: undefined },
  { status: 409, told: undefined },
  { status: 404, told: undefined },
];
const other = { ...card('a', 5), id: 'other' };
const [u, x] = [{ uniqueId: 'u' }, { uniqueAdjustmentId: 'x' }];
const history = (code: string, balance: number, rows: readonly object[]): Row => ({
  does: 'listAdjustmentsByGiftCardCode',
  named: code,
  told: { giftCard: card(code, balance), adjustments: rows },
});
const issued = (code: string, createdAtUtc: string) => create(code, 5, {}, { told: card(code, 5, 'Active', { createdAtUtc }) });
const since = { since: '2026-01-02T00:00:00Z' };
const event: Row = {
  does: 'createAutomationTriggerEvent',
  asked: { event_name: 'e', recipient_email: 'a@example.com', idempotency_key: 'k', properties: {} },
  told: { gift_cards: [], automations: [{ status: 'Created' }] },
};
const webhook = (url: string): Row => ({ does: 'createWebhook', asked: { url }, told: { url } });
const webhooks = (...records: object[]): Row => ({ does: 'listWebhooks', told: records });
const url = 'https://hooks.example/a';

/** A card of 20 with three adjustments, and one history of it. */
const entries = [
  { value: -1.25, kind: 'Redemption', text: 'three', when: '2025-12-01T03:00:00Z' },
  { value: 2.5, kind: 'TopUp', text: 'two', when: '2025-12-01T02:00:00Z' },
  { value: -5, kind: 'Redemption', text: 'one', when: '2025-12-01T01:00:00Z' },
];
const adjusted = (rows: readonly object[], balance = 16.25): Row[] => [
  create('a', 20),
  ...entries
    .toReversed()
    .map(({ value, text, when }) => adjust('a', value, { notes: text, actionedAtUtc: when }, { after: 5_000 })),
  history('a', balance, rows),
];
const changed = (change: (entry: (typeof entries)[number]) => object) => adjusted(entries.map(change));

describe('no other client can have caused it', () => {
  test.each<[string, Rows]>([
    ['gift-card.create.starts-with-given-balance', [create('a', 5, {}, { told: card('a', 4) })]],
    ['gift-card.create.starts-active', [create('a', 5, {}, { told: card('a', 5, 'Redeemed') })]],
    ['gift-card.create.keeps-given-code', [create('a', 5, {}, { told: card('b', 5) })]],
    ['gift-card.create.stores-custom-fields', [create('a', 5, { customField1: 'mine' })]],
    ['gift-card.create.answers-200', [create('a', 5, {}, { status: 201 })]],
    ['gift-card.create.returns-the-card', [create('a', 5, {}, { told: 'created' })]],
    [
      'gift-card.create.gifted-needs-buyer-name',
      [create('a', 5, { sendAsGift: true, shouldSendNotification: true, recipientName: 'R' })],
    ],
    ['gift-card.response.has-named-fields', [{ ...get('a', 5), told: { ...card('a', 5), balance: '5' } }]],
    ['gift-card.response.status-is-one-of-five', [get('a', 5, 'Blocked')]],
    ['gift-card.get-by-code.returns-the-card', [{ ...get('a', 5), told: card('b', 5) }]],
    ['http.camel-case-names', [{ ...get('a', 5), told: { ...card('a', 5), Gift_Note: 1 } }]],
    ['http.json-bodies', [{ ...get('a', 5), told: undefined }]],
    ['automation.uses-snake-case', [{ ...event, told: { runs: [{ automationId: 1 }] } }]],
    ['adjustment.answers-true', [adjust('a', 1, {}, { told: { ok: true } })]],
    ['adjustment.requires-actioned-at', [adjust('a', 1, { actionedAtUtc: undefined })]],
    ['idempotency.adjustment.refuses-repeat', [adjust('a', 1, x), adjust('a', 1, x)]],
    ['idempotency.adjustment.repeat-on-other-card-refused', [adjust('a', 1, x), adjust('b', 1, x)]],
    ['idempotency.adjustment.repeat-by-other-endpoint-refused', [create('a', 5), adjust('a', 1, x), byId('a', 1, x)]],
    ['idempotency.adjustment.repeat-with-other-content-refused', [adjust('a', 1, x), adjust('a', 2, x)]],
    ['idempotency.adjustment.parallel-counts-once', [[adjust('a', 1, x), adjust('a', 1, x)]]],
    ['errors.rejection-is-400-plain-text', [create('a', 5, u), create('a', 5, u, { status: 400, told: { error: 1 } })]],
    ['authentication.missing-key-is-401', [{ ...get('a', 5), key: null }]],
    ['list.page-size-limits', [list([{}, {}], { pageSize: '1' })]],
    ['list.wraps-cards-and-total', [list([card('a', 5), card('a', 5)])]],
    ['list.wraps-cards-and-total', [list([], {}, -1.5)]],
    ['list.since-goes-by-issue', [issued('a', '2026-01-01T00:00:00Z'), list([card('a', 5)], since)]],
    ['gift-card.create.refuses-taken-code', [list([card('a', 5), other])]],
    ['adjustment.history.by-code-shows-card-and-entries', [create('a', 5), { ...history('a', 5, []), told: { rows: [] } }]],
    ['webhook.delete.removes', [webhooks({ id: '1' }), { does: 'deleteWebhook', named: '1' }, webhooks({ id: '1' })]],
    ['robustness.get-by-code', [{ ...get('a', 5), status: 500, told: undefined }]],
  ])('%s', (clause, rows) => {
    expect(found(rows)).toEqual([['violated', clause]]);
  });
});

describe('it is violated only if no other client acts', () => {
  const both = [create('a', 5), create('b', 5)];
  test.each<[string, Rows]>([
    ['adjustment.positive-tops-up', [create('a', 5), adjust('a', 2), get('a', 6)]],
    ['adjustment.negative-redeems', [create('a', 5), byId('a', -2), get('a', 5)]],
    ['adjustment.parallel-all-count', [create('a', 5), [adjust('a', 2), adjust('a', 2)], get('a', 7)]],
    ['gift-card.get-by-code.returns-the-card', [create('a', 5), get('a', 6)]],
    ['gift-card.get-by-code.returns-the-card', [create('a', 5), { ...get('a', 5), ...notFound }]],
    ['gift-card.get-by-code.returns-the-card', [create('a', 5), { ...get('a', 5), told: other }]],
    [
      'gift-card.custom-fields.unchanged-for-good',
      [create('a', 5, { customField1: 'm' }, { told: card('a', 5, 'Active', { customField1: 'm' }) }), get('a', 5)],
    ],
    ['errors.refusal-changes-nothing', [create('a', 5), adjust('a', -9, {}, refused), get('a', -4)]],
    ['adjustment.by-id.refuses-overdraw', [create('a', 5), byId('a', -6)]],
    ['adjustment.by-id.refuses-redemption-below-zero', [create('a', 5), adjust('a', -6), byId('a', -1)]],
    ['adjustment.positive-tops-up', [create('a', 5), adjust('a', 1, {}, notFound)]],
    ['gift-card.void.by-code-voids', [create('a', 5), { ...voided('a'), ...notFound }]],
    ['gift-card.void.by-code-voids', [create('a', 5), voided('a'), get('a', 0)]],
    ['gift-card.void.is-final', [create('a', 5), voided('a'), get('a', 0, 'Voided'), get('a', 0)]],
    ['gift-card.void.zeroes-balance', [create('a', 5), voided('a'), get('a', 5, 'Voided')]],
    ['gift-card.void.still-found', [create('a', 5), voided('a'), { ...get('a', 5), ...notFound }]],
    ['authentication.key-is-in-header', [create('a', 5), { ...get('a', 5), status: 401, told: undefined }]],
    ['idempotency.create.refuses-repeat', [create('a', 5, u), create('b', 5, u)]],
    ['idempotency.create.refuses-repeat', [create('a', 5, u), create('a', 5, u, conflict)]],
    ['idempotency.create.parallel-makes-one', [[create('a', 5, u), create('b', 5, u)]]],
    ['idempotency.automation.skips-repeat', [event, event]],
    ['gift-card.create.refuses-taken-code', [create('a', 5), create('a', 5, {}, { told: other })]],
    [
      'gift-card.create.uses-account-currency',
      [create('a', 5), create('b', 5, {}, { told: { ...card('b', 5), currency: 'USD' } })],
    ],
    ['company.profile-currency-is-of-cards', [create('a', 5), { does: 'getCompanyProfile', told: { currency: 'USD' } }]],
    ['list.wraps-cards-and-total', [...both, list([card('a', 5), card('b', 5)], {}, 1)]],
    ['list.wraps-cards-and-total', [...both, list([card('a', 5)])]],
    ['list.includes-voided', [...both, voided('a'), list([card('b', 5)])]],
    ['list.includes-redeemed', [...both, adjust('a', -5), get('a', 0), list([card('b', 5)])]],
    ['list.since-is-strictly-after', [issued('a', '2026-01-03T00:00:00Z'), list([], since)]],
    ['adjustment.positive-tops-up', [...both, adjust('a', 1), list([card('a', 5), card('b', 5)])]],
    ['list.page-size-default', [...[...'abcdefghijkl'].map((code) => create(code, 5)), list([card('a', 5)])]],
    ['list.last-updated-first', [create('a', 5), { ...create('b', 5), after: 90_000 }, list([card('a', 5), card('b', 5)])]],
    [
      'list.page-number-from-zero',
      [
        ...both,
        create('c', 5),
        { ...list([card('b', 5), card('a', 5)], { pageSize: '2' }, 3), after: 90_000 },
        list([card('a', 5)], { pageSize: '2', pageNumber: '1' }, 3),
      ],
    ],
    ['webhook.create.registers', [webhook(url), webhooks()]],
    ['webhook.create.same-url-again', [webhook(url), webhook(url), webhooks({ url }, { url: 'https://hooks.example/b' })]],
    ['adjustment.history.newest-first', adjusted([...entries].sort((one, two) => one.value - two.value))],
    ['adjustment.recorded-in-history', adjusted(entries.slice(1))],
    ['adjustment.history.entry-tells-amount-type-notes-time', adjusted([{ ...entries[0], value: -1.26 }, ...entries.slice(1)])],
    ['adjustment.negative-redeems', adjusted(entries, 17)],
    [
      'limits.rate-admits',
      [create('a', 5), { ...create('b', 5), after: 90_000 }, { ...get('a', 5), status: 429, told: undefined }],
    ],
  ])('%s', (clause, rows) => {
    const of = (onlyClient: boolean) => [...new Set(found(rows, onlyClient).map((each) => each.join(' ')))];
    expect(of(false)).toEqual([`possible ${clause}`]);
    expect(of(true)).toContain(`violated ${clause}`);
  });

  test.each<[string, Rows]>([
    ['adjustment.keeps-notes', changed(({ text, kind, ...each }) => each)],
    ['adjustment.keeps-actioned-at', changed((each) => ({ ...each, when: '2001-01-01T00:00:00Z' }))],
  ])('%s', (clause, rows) => {
    expect(new Set(found(rows).map(([, each]) => each))).toEqual(new Set([clause]));
  });
});

test.each<[string, Row, string]>([
  ['a top-up by code', adjust('a', 1, {}, refused), 'adjustment.positive-tops-up'],
  ['a redemption by ID', byId('a', -1, {}, refused), 'adjustment.negative-redeems'],
  ['the whole balance by ID', byId('a', -5, {}, refused), 'adjustment.by-id.takes-whole-balance'],
  ['more than the balance by code', adjust('a', -6, {}, refused), 'adjustment.by-code.may-go-negative'],
])('a refusal of %s has no other reason only if no other client acts', (_, row, clause) => {
  const before = [create('a', 5), adjust('a', 1), byId('a', -1), get('a', 5)];
  expect([found([...before, row]), found([...before, row], true)]).toEqual([[], [['violated', clause]]]);
});

test('a finding names the exchanges that show it', () => {
  const rows = [create('a', 5), adjust('a', 2), byId('a', -1), get('a', 7)];
  expect(judged(rows, true).findings.at(-1)?.exchanges).toEqual([1, 2, 3, 4]);
});

test.each<[string, Row, RegExp]>([
  ['a field with another type', adjust('a', 1, { adjustmentAmount: '1' }), /adjustmentAmount.*number.*string/],
  ['a field with another spelling', create('a', 5, { Notes: 'n' }), /notes/],
  ['a date that is not one', adjust('a', 1, { actionedAtUtc: 'yesterday' }), /actionedAtUtc.*date-time/],
  ['a page that is too large', list([], { pageSize: '51' }), /pageSize.*50.*51/],
  ['a URL without TLS', { does: 'createWebhook', asked: { url: 'http://a.example' } }, /https/],
  ['a request without a key', { ...get('a', 5), key: null, status: 401, told: undefined }, /x-api-key/],
  ['a key that was never accepted', { ...get('a', 5), status: 401, told: undefined }, /never accepted/],
])('the client sends %s', (_, row, what) => {
  const { findings } = judged([row]);
  expect(findings.find(({ kind }) => kind === 'client')?.what).toMatch(what);
});

test('an answer that differs from the contract where nothing is stated is open', () => {
  const { findings } = judged([{ ...get('a', 5), told: { ...card('a', 5), expiresAtUtc: 7 } }]);
  expect(findings.map(({ kind, clause }) => [kind, clause])).toEqual([['open', undefined]]);
});

test('the rate limit held after two hundred requests in a minute', () => {
  const minute = Array.from({ length: 200 }, () => ({ ...get('a', 5), after: 10 }));
  const excess = { ...get('a', 5), status: 429, told: undefined };
  expect([...judged([...minute, excess]).held.keys()]).toEqual(
    expect.arrayContaining(['limits.rate-admits', 'limits.rate-refuses-excess']),
  );
  expect(judged(minute.slice(1)).held.has('limits.rate-admits')).toBe(false);
});

test('a request that is not of the service makes the oracle forget', () => {
  const oracle = createOracle({ onlyClient: true });
  const at = { at: 0, ms: 1, headers: { 'x-api-key': 'k' }, body: '' };
  const answer = (json: unknown) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const target = '/api/GiftCard/GetByCode/a';
  const findings = [
    { ...at, method: 'GET', target, answer: answer(card('a', 5)) },
    { ...at, method: 'POST', target: '/__mock/clock', answer: answer({}) },
    { ...at, method: 'GET', target, answer: answer(card('a', 9)) },
  ].flatMap((exchange) => oracle.observe(exchange));
  expect(findings.filter(({ kind }) => kind === 'violated')).toEqual([]);
});
