import { expect, test } from 'vitest';
import { adjustRow, cardJson, createRow, type ExchangeRow, listRow, observeAll, voidRow } from '../testing/exchanges-fixture.ts';

type Rows = readonly (ExchangeRow | readonly ExchangeRow[])[];
const orderFindings = (rows: Rows, isOnlyClient: boolean) =>
  observeAll(rows, isOnlyClient)
    .filter(({ rule }) => rule === 'list.last-updated-first' || rule === 'adjustment.history.newest-first')
    .map(({ kind, exchanges }) => [kind, exchanges]);

const later = { after: 2_500 };
const lost = { isLost: true } as const;
const at = (second: number) => ({ actionedAtUtc: `2025-12-01T00:00:0${second}Z` });
const listOf = (...cards: string[]) => listRow(cards.map((code) => cardJson(code, 5)));
const both: Rows = [createRow('a', 5), createRow('b', 5, {}, later)];
const adjusted: Rows = [createRow('a', 5), adjustRow('a', 2, at(1)), adjustRow('a', -1, at(4), later)];
const historyOf = (...amounts: number[]): ExchangeRow => ({
  operation: 'listAdjustmentsByGiftCardCode',
  name: 'a',
  response: { giftCard: cardJson('a', 6), adjustments: amounts.map((value) => ({ value })) },
});

test.each<[string, number[], Rows]>([
  ['a card that was created first', [1, 2, 3], [...both, listOf('a', 'b')]],
  ['a card before one that was adjusted later', [2, 3, 4], [...both, adjustRow('a', 1, {}, later), listOf('b', 'a')]],
  ['a card before one that was voided later', [2, 3, 4], [...both, { ...voidRow('a'), ...later }, listOf('b', 'a')]],
  ['cards without their names', [1, 2, 3], [...both, listRow([{ ref: 'id-a' }, { ref: 'id-b' }])]],
  ['the oldest adjustment', [2, 3, 4], [...adjusted, historyOf(2, -1)]],
  ['the oldest adjustment, among entries of other clients', [2, 3, 4], [...adjusted, historyOf(9, 2, -1, 9)]],
])('%s first: a violation only if no other client acts', (_, exchanges, rows) => {
  expect([orderFindings(rows, false), orderFindings(rows, true)]).toEqual([[['possible', exchanges]], [['violated', exchanges]]]);
});

test.each<[string, Rows]>([
  ['that was updated last', [...both, listOf('b', 'a')]],
  [
    'that was updated less than two seconds earlier',
    [createRow('a', 5), createRow('b', 5, {}, { after: 1_500 }), listOf('a', 'b')],
  ],
  ['that may have been updated by a request without a response', [...both, adjustRow('a', 1, {}, lost), listOf('a', 'b')]],
  ['that was updated while the list was read', [...both, [listOf('a', 'b'), adjustRow('a', 1)]]],
  [
    'that may have expired',
    [createRow('a', 5, { expiresAtUtc: '2026-01-01T00:00:01Z' }), createRow('b', 5, {}, later), listOf('a', 'b')],
  ],
  ['that this client did not create', [listOf('a'), createRow('b', 5, {}, later), listOf('a', 'b')]],
  ['before one whose last update has no stated effect', [...both, adjustRow('a', 0.001, {}, later), listOf('b', 'a')]],
])('a list may show a card first %s', (_, rows) => {
  expect(orderFindings(rows, true)).toEqual([]);
});

test.each<[string, Rows]>([
  ['the newest adjustment first', [...adjusted, historyOf(-1, 2)]],
  [
    'the adjustment with the latest actionedAtUtc first',
    [createRow('a', 5), adjustRow('a', 2, at(4)), adjustRow('a', -1, at(1), later), historyOf(2, -1)],
  ],
  [
    'two adjustments of the same second in any order',
    [createRow('a', 5), adjustRow('a', 2, at(1)), adjustRow('a', -1, at(4)), historyOf(2, -1)],
  ],
  ['other entries with the same amount', [...adjusted, historyOf(2, 2, -1)]],
  ['only some adjustments', [...adjusted, adjustRow('a', 7, at(8), later), historyOf(2, -1)]],
])('a history may show %s', (_, rows) => {
  expect(orderFindings(rows, true)).toEqual([]);
});
