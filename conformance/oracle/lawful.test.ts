import { describe, expect, test } from 'vitest';
import { adjust, byId, card, create, type ExchangeRow, get, list, observeAll, voidCard } from '../testing/exchanges-fixture.ts';

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
const other = { ...card('a', 5), id: 'other' };
const made = (id: string): ExchangeRow => create('a', 5, {}, { response: { ...card('a', 5), id } });
const byIdOf = (id: string, balance: number, status = 'Active'): ExchangeRow => ({
  operation: 'getGiftCardById',
  name: id,
  response: { ...card('a', balance, status), id },
});
const [u, x] = [{ uniqueId: 'u' }, { uniqueAdjustmentId: 'x' }];
const expiring = { expiresAtUtc: '2026-01-01T00:00:10Z' };
const later = 20_000;
const both = [create('a', 5), create('b', 5)];
const before = [create('a', 5), adjust('a', 1), byId('a', -1), get('a', 5)];
// In these tests, no other client acts, so the oracle reports each possible violation.
describe('a lawful service', () => {
  test.each<[string, Rows]>([
    ['moves a balance by what it accepted', [create('a', 0.3), adjust('a', -0.1), byId('a', -0.1), get('a', 0.1)]],
    ['returns a card that is not known yet', [adjust('a', 2), get('a', 6)]],
    ['may have executed a request without a response', [create('a', 5), adjust('a', 2, {}, lost), get('a', 7), get('a', 5)]],
    ['may execute a request without a response later', [create('a', 5), adjust('a', 2, {}, lost), get('a', 5), get('a', 7)]],
    ['handles overlapping requests in any order', [create('a', 5), [adjust('a', 2), adjust('a', -1), get('a', 4)], get('a', 6)]],
    ['allows a redemption that a top-up under way covers', [create('a', 5), [adjust('a', 1), byId('a', -6)], get('a', 0)]],
    ['rounds an amount with too many decimals', [create('a', 5), adjust('a', 0.005), get('a', 5.01)]],
    ['has two accounts', [create('a', 5, u), { ...create('a', 5, u, { response: other }), key: 'key-2' }]],
    ['refuses a second void', [create('a', 5), voidCard('a'), { ...voidCard('a'), ...conflict }]],
    [
      'keeps a balance that an adjustment after a lost void made',
      [create('a', 5), { ...voidCard('a'), ...lost }, adjust('a', 1), voidCard('a'), get('a', 1, 'Voided')],
    ],
    ['adjusts a voided card', [create('a', 5), voidCard('a'), adjust('a', 2), get('a', 2, 'Voided')]],
    ['refuses to adjust a voided card', [...before, voidCard('a'), adjust('a', 1, {}, conflict)]],
    ['expires a voided card', [create('a', 5), voidCard('a'), get('a', 0, 'Expired')]],
    ['empties an expired card', [create('a', 5, expiring), { ...get('a', 0, 'Expired'), after: later }]],
    [
      'refuses to adjust an expired card',
      [create('a', 5, expiring), adjust('a', 1), adjust('a', 1, {}, { ...conflict, after: later })],
    ],
    [
      'reads an ID in any letter case',
      [create('a', 5), { ...byId('a', 1), request: { ...byId('a', 1).request, giftCardId: 'ID-A' } }, get('a', 6)],
    ],
    ['reads an ID in its own letter case only', [create('a', 5), { operation: 'voidGiftCardById', name: 'ID-A', ...notFound }]],
    ['reads a code in any letter case', [create('a', 5), voidCard('A'), { ...get('A', 0), ...notFound }]],
    ['reads a code in its own letter case only', [create('a', 5), { ...voidCard('A'), ...notFound }, get('a', 5)]],
    [
      'hides a card that only a list of deleted cards shows',
      [list([card('a', 5)], { includeAll: 'true' }), { ...get('a', 5), ...notFound }],
    ],
    ['requires another field for the card by ID', [create('a', 5), byId('a', 1, {}, notFound)]],
    ['refuses a very large amount', [...before, adjust('a', 9_999, {}, refused)]],
    ['refuses a unique value that it refused before', [...before, byId('a', -6, x, refused), adjust('a', 1, x, refused)]],
    ['refuses a unique value that it gave no response to', [...before, adjust('a', 1, x, lost), adjust('a', 1, x, refused)]],
    ['refuses too large a body', [...before, adjust('a', 1, {}, { status: 413, response: undefined })]],
  ])('%s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['after a void', [create('a', 5, u), voidCard('a'), create('a', 5, u, { response: other }), { ...get('a', 5), response: other }]],
    ['after an expiry', [create('a', 5, { ...u, ...expiring }), { ...create('a', 5, u, { response: other }), after: later }]],
    [
      'after an expiry that a list shows',
      [create('a', 5), list([card('a', 5, 'Expired')]), create('a', 5, {}, { response: other })],
    ],
    ['after a day', [create('a', 5, u), { ...create('b', 5, u), after: 86_400_000 }]],
    ['while its card is voided', [create('a', 5), [create('a', 5, {}, { response: other }), voidCard('a')]]],
    [
      'after a void by ID in another letter case',
      [create('a', 5), { operation: 'voidGiftCardById', name: 'ID-A' }, made('other')],
    ],
    ['after a void without a response', [create('a', 5), { ...voidCard('a'), ...lost }, made('other')]],
    ['after a void whose path is ambiguous', [create('a', 5), { ...voidCard('a'), name: undefined as never }, made('other')]],
  ])('gives a code or a unique value again %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['other content', [create('a', 5, u), create('b', 5, u, conflict)]],
    ['another fault', [create('a', 5, u), create('a', 5, { ...u, recipientEmailAddress: 'invalid' }, asJson)]],
    [
      'an expiry that is past now',
      [create('a', 5, { ...u, ...expiring }), create('a', 5, { ...u, ...expiring }, { ...conflict, after: later })],
    ],
    ['another amount', [create('a', 5), adjust('a', 1, x), adjust('a', 0.001, x, asJson)]],
    ['a redemption that exceeds the balance by now', [create('a', 5), byId('a', -5, x), byId('a', -5, x, conflict)]],
    ['the first one still under way', [[create('a', 5, u), create('a', 5, u, lost)], create('a', 5, u, conflict)]],
    ['a missing field and another fault', [adjust('a', 1, { actionedAtUtc: undefined, notes: 7 }, asJson)]],
  ])('refuses a repeat for another reason: %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    [
      'that was created without a response, and voided',
      [create('a', 5, {}, lost), adjust('a', 1), voidCard('a'), made('1'), byIdOf('1', 5)],
    ],
    [
      'whose code may have been given to another card',
      [made('1'), { ...voidCard('a'), ...lost }, create('a', 2, {}, lost), adjust('a', 3), byIdOf('1', 0, 'Voided')],
    ],
    [
      'that was voided by its code before it was shown',
      [voidCard('a'), list([card('a', 0, 'Voided')]), { ...voidCard('a'), ...conflict }],
    ],
    [
      'that is known by its ID alone',
      [byId('a', 1), { ...voidCard('a'), ...lost }, { operation: 'voidGiftCardById', name: 'id-a', ...notFound }],
    ],
    [
      'that an adjustment without a response may mean',
      [create('a', 5), adjust('a', 2, {}, lost), voidCard('a'), made('1'), byIdOf('1', 7)],
    ],
    ['that was created while another one was voided', [create('a', 5, {}, lost), [made('2'), voidCard('a')], byIdOf('2', 5)]],
  ])('has a card %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['in the right form', [...both, list([card('b', 5), card('a', 5)])]],
    ['with a part of each card', [...both, voidCard('a'), list([{ id: 'id-a', code: 'a' }, { number: 'b' }])]],
    ['with records that have no known card', [...both, list([{ ref: 7 }, { ref: 8 }])]],
    ['while a card is created', [create('a', 5), [create('b', 5), list([card('a', 5)])]]],
    ['with a full page', [...both, list([card('b', 5)], { pageSize: '1' })]],
    [
      'with a second card of a code, which is deleted',
      [...both, list([card('b', 5), card('a', 5), other], { includeAll: 'true' })],
    ],
    [
      'since a time without a zone',
      [
        create('a', 5, {}, { response: card('a', 5, 'Active', { createdAtUtc: '2026-01-01T08:00:00Z' }) }),
        list([], { since: '2026-01-01T07:00:00' }),
      ],
    ],
  ])('returns a list %s', (_, rows) => {
    expect(rulesOf(rows)).toEqual([]);
  });

  test('returns the history of a voided card', () => {
    const history = { giftCard: card('a', 0, 'Voided'), adjustments: [{ value: -10 }] };
    const read: ExchangeRow = { operation: 'listAdjustmentsByGiftCardCode', name: 'a', response: history };
    expect(rulesOf([create('a', 9), adjust('a', 1), voidCard('a'), read])).toEqual([]);
  });
});
