import { describe, expect, test } from 'vitest';
import { adjust, byId, create, found, get, type Row, voided } from '../testing/exchanges-fixture.ts';

type Rows = readonly (Row | readonly Row[])[];
const brief = (rows: Rows, onlyClient = false) => found(rows, onlyClient).map(([kind, clause]) => [kind, clause]);
const refused = { status: 400, told: undefined };
const missing = { status: 404, told: undefined };
const before = [create('a', 5), adjust('a', 1), byId('a', -1), get('a', 5)];
const now = (code: string, more = {}) => adjust(code, 1, { actionedAtUtc: new Date(Date.UTC(2026, 0, 1)).toISOString() }, more);

describe('an adjustment that is refused although nothing speaks against it', () => {
  test.each<[string, Row, string]>([
    ['a top-up by code', adjust('a', 1, {}, refused), 'adjustment.positive-tops-up'],
    ['a top-up by ID', byId('a', 1, {}, refused), 'adjustment.positive-tops-up'],
    ['a redemption by code', adjust('a', -1, {}, refused), 'adjustment.negative-redeems'],
    ['a redemption by ID', byId('a', -1, {}, refused), 'adjustment.negative-redeems'],
    ['all of it by ID', byId('a', -5, {}, refused), 'adjustment.by-id.takes-whole-balance'],
    ['more than there is by code', adjust('a', -6, {}, refused), 'adjustment.by-code.may-go-negative'],
  ])('%s', (_, row, clause) => {
    expect(brief([...before, row])).toEqual([]);
    expect(brief([...before, row], true)).toEqual([['violated', clause]]);
  });

  test('of a moment that is no later than one that was taken', () => {
    expect(brief([...before, now('a'), now('a', refused)], true)).toEqual([['violated', 'adjustment.positive-tops-up']]);
    expect(brief([...before, now('a', refused)], true)).toEqual([]);
  });

  test.each<[string, Rows]>([
    ['more than there is by ID', [...before, byId('a', -6, {}, refused)]],
    ['before any was taken', [create('a', 5), adjust('a', 1, {}, refused)]],
    ['of a card that others made', [get('a', 5), adjust('a', 1), adjust('a', 1, {}, refused)]],
    [
      'with a unique value that was refused before',
      [...before, byId('a', -6, { uniqueAdjustmentId: 'x' }, refused), adjust('a', 1, { uniqueAdjustmentId: 'x' }, refused)],
    ],
    [
      'with one that may have been taken',
      [
        ...before,
        adjust('a', 1, { uniqueAdjustmentId: 'x' }, { lost: true }),
        adjust('a', 1, { uniqueAdjustmentId: 'x' }, refused),
      ],
    ],
    ['of a very large amount', [...before, adjust('a', 9_999, {}, refused)]],
    ['of a voided card', [...before, voided('a'), adjust('a', 1, {}, refused)]],
    ['as too large', [...before, adjust('a', 1, {}, { status: 413, told: undefined })]],
  ])('nothing is said of one %s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});

describe('what was there is not found, or what was not found is there', () => {
  const lookup: Row = { does: 'getGiftCardByCode', named: 'a', ...missing };
  test.each<[string, Rows, string]>([
    ['by a top-up', [create('a', 5), adjust('a', 1, {}, missing)], 'adjustment.positive-tops-up'],
    ['by a redemption', [create('a', 5), adjust('a', -1, {}, missing)], 'adjustment.negative-redeems'],
    [
      'by its history',
      [create('a', 5), { does: 'listAdjustmentsByGiftCardCode', named: 'a', ...missing }],
      'adjustment.history.by-code-shows-card-and-entries',
    ],
    ['with a profile', [create('a', 5), { does: 'getCompanyProfile', ...missing }], 'company.profile-answers'],
    ['adjusted', [lookup, adjust('a', 1)], 'adjustment.by-code.unknown-card-is-404'],
    ['voided', [lookup, voided('a')], 'gift-card.void.unknown-code-is-404'],
  ])('%s', (_, rows, clause) => {
    expect(brief(rows)).toEqual([['cannot-tell', clause]]);
    expect(brief(rows, true)).toEqual([['violated', clause]]);
  });

  test.each<[string, Rows]>([
    ['by ID, under a name that may be wrong', [create('a', 5), byId('a', 1, {}, missing)]],
    ['voided meanwhile', [create('a', 5), voided('a'), adjust('a', 1, {}, missing)]],
    ['created meanwhile', [lookup, create('b', 5), voided('a')]],
    ['that may have been created meanwhile', [create('a', 5, {}, { lost: true }), lookup, voided('a')]],
    ['with a key that was never good', [{ does: 'getCompanyProfile', ...missing }]],
  ])('nothing is said of what is %s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});
