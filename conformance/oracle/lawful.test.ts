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

type Rows = readonly (ExchangeRow | readonly ExchangeRow[])[];
const rulesOf = (rows: Rows) =>
  observeAll(rows, true)
    .filter(({ kind }) => kind === 'violated' || kind === 'possible')
    .map(({ rule }) => rule);

const [lost, refused, conflict, notFound, asJson] = [
  { isLost: true } as const,
  { status: 400, response: undefined },
  { status: 409, response: undefined },
  { status: 404, response: undefined },
  { status: 400, response: { errors: { email: ['is not valid'] } } },
];
const other = { ...cardJson('a', 5), id: 'other' };
const made = (id: string): ExchangeRow => createRow('a', 5, {}, { response: { ...cardJson('a', 5), id } });
const byIdOf = (id: string, balance: number, status = 'Active'): ExchangeRow => ({
  operation: 'getGiftCardById',
  name: id,
  response: { ...cardJson('a', balance, status), id },
});
const [u, x] = [{ uniqueId: 'u' }, { uniqueAdjustmentId: 'x' }];
const expiring = { expiresAtUtc: '2026-01-01T00:00:10Z' };
const later = 20_000;
const both = [createRow('a', 5), createRow('b', 5)];
const before = [createRow('a', 5), adjustRow('a', 1), adjustByIdRow('a', -1), get('a', 5)];
// In these tests, no other client acts, so the oracle reports each possible violation.
describe('a lawful service', () => {
  test.each<[string, Rows]>([
    ['moves a balance by what it accepted', [createRow('a', 0.3), adjustRow('a', -0.1), adjustByIdRow('a', -0.1), get('a', 0.1)]],
    ['returns a card that is not known yet', [adjustRow('a', 2), get('a', 6)]],
    [
      'may have executed a request without a response',
      [createRow('a', 5), adjustRow('a', 2, {}, lost), get('a', 7), get('a', 5)],
    ],
    [
      'may execute a request without a response later',
      [createRow('a', 5), adjustRow('a', 2, {}, lost), get('a', 5), get('a', 7)],
    ],
    [
      'handles overlapping requests in any order',
      [createRow('a', 5), [adjustRow('a', 2), adjustRow('a', -1), get('a', 4)], get('a', 6)],
    ],
    [
      'allows a redemption that a top-up under way covers',
      [createRow('a', 5), [adjustRow('a', 1), adjustByIdRow('a', -6)], get('a', 0)],
    ],
    ['rounds an amount with too many decimals', [createRow('a', 5), adjustRow('a', 0.005), get('a', 5.01)]],
    ['has two accounts', [createRow('a', 5, u), { ...createRow('a', 5, u, { response: other }), key: 'key-2' }]],
    ['refuses a second void', [createRow('a', 5), voidRow('a'), { ...voidRow('a'), ...conflict }]],
    [
      'keeps a balance that an adjustment after a lost void made',
      [createRow('a', 5), { ...voidRow('a'), ...lost }, adjustRow('a', 1), voidRow('a'), get('a', 1, 'Voided')],
    ],
    ['adjusts a voided card', [createRow('a', 5), voidRow('a'), adjustRow('a', 2), get('a', 2, 'Voided')]],
    ['refuses to adjust a voided card', [...before, voidRow('a'), adjustRow('a', 1, {}, conflict)]],
    ['expires a voided card', [createRow('a', 5), voidRow('a'), get('a', 0, 'Expired')]],
    ['empties an expired card', [createRow('a', 5, expiring), { ...get('a', 0, 'Expired'), after: later }]],
    [
      'refuses to adjust an expired card',
      [createRow('a', 5, expiring), adjustRow('a', 1), adjustRow('a', 1, {}, { ...conflict, after: later })],
    ],
    [
      'reads an ID in any letter case',
      [
        createRow('a', 5),
        { ...adjustByIdRow('a', 1), request: { ...adjustByIdRow('a', 1).request, giftCardId: 'ID-A' } },
        get('a', 6),
      ],
    ],
    [
      'reads an ID in its own letter case only',
      [createRow('a', 5), { operation: 'voidGiftCardById', name: 'ID-A', ...notFound }],
    ],
    ['reads a code in any letter case', [createRow('a', 5), voidRow('A'), { ...get('A', 0), ...notFound }]],
    ['reads a code in its own letter case only', [createRow('a', 5), { ...voidRow('A'), ...notFound }, get('a', 5)]],
    [
      'hides a card that only a list of deleted cards shows',
      [listRow([cardJson('a', 5)], { includeAll: 'true' }), { ...get('a', 5), ...notFound }],
    ],
    ['requires another field for the card by ID', [createRow('a', 5), adjustByIdRow('a', 1, {}, notFound)]],
    ['refuses a very large amount', [...before, adjustRow('a', 9_999, {}, refused)]],
    [
      'refuses a unique value that it refused before',
      [...before, adjustByIdRow('a', -6, x, refused), adjustRow('a', 1, x, refused)],
    ],
    [
      'refuses a unique value that it gave no response to',
      [...before, adjustRow('a', 1, x, lost), adjustRow('a', 1, x, refused)],
    ],
    ['refuses too large a body', [...before, adjustRow('a', 1, {}, { status: 413, response: undefined })]],
  ])('%s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    [
      'after a void',
      [createRow('a', 5, u), voidRow('a'), createRow('a', 5, u, { response: other }), { ...get('a', 5), response: other }],
    ],
    [
      'after an expiry',
      [createRow('a', 5, { ...u, ...expiring }), { ...createRow('a', 5, u, { response: other }), after: later }],
    ],
    [
      'after an expiry that a list shows',
      [createRow('a', 5), listRow([cardJson('a', 5, 'Expired')]), createRow('a', 5, {}, { response: other })],
    ],
    ['after a day', [createRow('a', 5, u), { ...createRow('b', 5, u), after: 86_400_000 }]],
    ['while its card is voided', [createRow('a', 5), [createRow('a', 5, {}, { response: other }), voidRow('a')]]],
    [
      'after a void by ID in another letter case',
      [createRow('a', 5), { operation: 'voidGiftCardById', name: 'ID-A' }, made('other')],
    ],
    ['after a void without a response', [createRow('a', 5), { ...voidRow('a'), ...lost }, made('other')]],
    ['after a void whose path is ambiguous', [createRow('a', 5), { ...voidRow('a'), name: undefined as never }, made('other')]],
  ])('gives a code or a unique value again %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['other content', [createRow('a', 5, u), createRow('b', 5, u, conflict)]],
    ['another fault', [createRow('a', 5, u), createRow('a', 5, { ...u, recipientEmailAddress: 'invalid' }, asJson)]],
    [
      'an expiry that is past now',
      [createRow('a', 5, { ...u, ...expiring }), createRow('a', 5, { ...u, ...expiring }, { ...conflict, after: later })],
    ],
    ['another amount', [createRow('a', 5), adjustRow('a', 1, x), adjustRow('a', 0.001, x, asJson)]],
    [
      'a redemption that exceeds the balance by now',
      [createRow('a', 5), adjustByIdRow('a', -5, x), adjustByIdRow('a', -5, x, conflict)],
    ],
    ['the first one still under way', [[createRow('a', 5, u), createRow('a', 5, u, lost)], createRow('a', 5, u, conflict)]],
    ['a missing field and another fault', [adjustRow('a', 1, { actionedAtUtc: undefined, notes: 7 }, asJson)]],
  ])('refuses a repeat for another reason: %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    [
      'that was created without a response, and voided',
      [createRow('a', 5, {}, lost), adjustRow('a', 1), voidRow('a'), made('1'), byIdOf('1', 5)],
    ],
    [
      'whose code may have been given to another card',
      [made('1'), { ...voidRow('a'), ...lost }, createRow('a', 2, {}, lost), adjustRow('a', 3), byIdOf('1', 0, 'Voided')],
    ],
    [
      'that was voided by its code before it was shown',
      [voidRow('a'), listRow([cardJson('a', 0, 'Voided')]), { ...voidRow('a'), ...conflict }],
    ],
    [
      'that is known by its ID alone',
      [adjustByIdRow('a', 1), { ...voidRow('a'), ...lost }, { operation: 'voidGiftCardById', name: 'id-a', ...notFound }],
    ],
    [
      'that an adjustment without a response may mean',
      [createRow('a', 5), adjustRow('a', 2, {}, lost), voidRow('a'), made('1'), byIdOf('1', 7)],
    ],
    ['that was created while another one was voided', [createRow('a', 5, {}, lost), [made('2'), voidRow('a')], byIdOf('2', 5)]],
  ])('has a card %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['in the right form', [...both, listRow([cardJson('b', 5), cardJson('a', 5)])]],
    ['with a part of each card', [...both, voidRow('a'), listRow([{ id: 'id-a', code: 'a' }, { number: 'b' }])]],
    ['with records that have no known card', [...both, listRow([{ ref: 7 }, { ref: 8 }])]],
    ['while a card is created', [createRow('a', 5), [createRow('b', 5), listRow([cardJson('a', 5)])]]],
    ['with a full page', [...both, listRow([cardJson('b', 5)], { pageSize: '1' })]],
    [
      'with a second card of a code, which is deleted',
      [...both, listRow([cardJson('b', 5), cardJson('a', 5), other], { includeAll: 'true' })],
    ],
    [
      'since a time without a zone',
      [
        createRow('a', 5, {}, { response: cardJson('a', 5, 'Active', { createdAtUtc: '2026-01-01T08:00:00Z' }) }),
        listRow([], { since: '2026-01-01T07:00:00' }),
      ],
    ],
  ])('returns a list %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test('returns the history of a voided card', () => {
    const history = { giftCard: cardJson('a', 0, 'Voided'), adjustments: [{ value: -10 }] };
    const read: ExchangeRow = { operation: 'listAdjustmentsByGiftCardCode', name: 'a', response: history };
    expect(rulesOf([createRow('a', 9), adjustRow('a', 1), voidRow('a'), read])).toEqual([]);
  });
});
