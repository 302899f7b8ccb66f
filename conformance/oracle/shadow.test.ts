import { describe, expect, test } from 'vitest';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { Tally } from '../proxy/finding.ts';
import type { Seen } from '../proxy/seen.ts';
import { Watch } from '../proxy/watch.ts';
import { adjust, byId, card, create, found, get, json, judged, type Row, voided } from '../testing/exchanges-fixture.ts';

/** Without a code of its own. */
const unnamed = (more: Record<string, unknown>, answer: Partial<Row> = {}): Row => ({
  does: 'createGiftCard',
  asked: { balance: 5, ...more },
  told: card('g', 5),
  ...answer,
});

describe('the balance', () => {
  test.each<[string, readonly (Row | readonly Row[])[], unknown[]]>([
    ['what was seen and what passed since', [create('a', 5), adjust('a', 2), byId('a', -1), get('a', 6)], []],
    ['another than that', [create('a', 5), adjust('a', 2), get('a', 6)], [['adjustment.positive-tops-up', [1, 2, 3]]]],
    [
      'goes on from what was seen last',
      [create('a', 5), get('a', 4), adjust('a', -1), get('a', 3)],
      [['gift-card.get-by-code.returns-the-card', [1, 2]]],
    ],
    ['of a card that was never seen nothing is known', [adjust('a', 2), get('a', 6)], []],
    ['tenths add up', [create('a', 0.3), adjust('a', -0.1), adjust('a', -0.1), get('a', 0.1)], []],
    [
      'moved by what was refused',
      [create('a', 5), adjust('a', -9, {}, { status: 400, told: undefined }), get('a', -4)],
      [['errors.refusal-changes-nothing', [1, 3]]],
    ],
    [
      'an adjustment without an answer may have come about, or not',
      [create('a', 5), adjust('a', 2, {}, { lost: true }), get('a', 7), get('a', 7)],
      [],
    ],
    [
      'nor does one that broke',
      [create('a', 5), adjust('a', 2, {}, { status: 500, told: undefined }), get('a', 5)],
      [['robustness.adjust-by-code', [2]]],
    ],
    ['at once, in any order', [create('a', 5), [adjust('a', 2), adjust('a', -1), get('a', 4)], get('a', 6)], []],
    [
      'at once, where one did not count',
      [create('a', 5), adjust('a', 2), [adjust('a', 1), get('a', 6)]],
      [['adjustment.parallel-all-count', [1, 2, 4]]],
    ],
    [
      'at once, where something else counted, which is told as without it',
      [create('a', 5), [adjust('a', 2), get('a', 6)]],
      [['gift-card.get-by-code.returns-the-card', [1, 3]]],
    ],
    [
      'and so it is where something else was refused',
      [create('a', 5), adjust('a', -9, {}, { status: 400, told: undefined }), get('a', 4)],
      [['gift-card.get-by-code.returns-the-card', [1, 3]]],
    ],
    [
      'of two that came at once each one counts',
      [create('a', 5), [adjust('a', 2), adjust('a', 2)], get('a', 7)],
      [['adjustment.positive-tops-up', [1, 2, 3, 4]]],
    ],
    ['more decimals than the currency has', [create('a', 5), adjust('a', 0.005), get('a', 5.01)], []],
  ])('%s', (_, rows, expected) => {
    expect(
      found(rows)
        .filter(([kind]) => kind === 'cannot-tell')
        .map(([, ...rest]) => rest),
    ).toEqual(expected.filter((each) => !String(each).startsWith('robustness')));
    const levels = found(rows, true).map(([, ...rest]) => rest);
    expect(levels).toEqual(expected);
  });
});

describe('what only a list with deleted cards has shown may be deleted', () => {
  const list = (query: Record<string, string>): Row => ({
    does: 'listGiftCards',
    query,
    told: { giftCards: [card('a', 5)], totalCount: 1 },
  });
  const missing: Row = { does: 'getGiftCardByCode', named: 'a', status: 404, told: undefined };
  const byIdThere: Row = { does: 'getGiftCardById', named: 'id-a', told: card('a', 5) };
  test.each<[string, readonly Row[], unknown[]]>([
    ['so that nobody need find it', [list({ includeAll: 'true' }), missing], []],
    ['or void it', [list({ includeAll: 'true' }), { ...missing, does: 'voidGiftCardByCode' }], []],
    ['in whatever way it is asked for', [list({ IncludeAll: '1' }), missing], []],
    ['even where it is found in another way', [list({ includeAll: 'true' }), byIdThere, missing], []],
    ['without them', [list({ includeAll: 'false' }), missing], [['violated', 'gift-card.get-by-code.returns-the-card', [1, 2]]]],
    [
      'one that such a list has, too, is there',
      [list({ includeAll: 'true' }), list({}), missing],
      [['violated', 'gift-card.get-by-code.returns-the-card', [2, 3]]],
    ],
    [
      'one that was there before was deleted by nobody',
      [create('a', 5), list({ includeAll: 'true' }), missing],
      [['violated', 'gift-card.get-by-code.returns-the-card', [1, 3]]],
    ],
  ])('%s', (_, rows, expected) => {
    expect(found(rows, true)).toEqual(expected);
  });
});

describe('what no other client can have caused is violated in any case', () => {
  const refused = { status: 400, told: undefined };
  test.each<[string, readonly (Row | readonly Row[])[], unknown[]]>([
    ['a voided card that has expired is open', [create('a', 5), voided('a'), get('a', 0, 'Expired')], []],
    ['a repeat that is refused', [create('a', 5, { uniqueId: 'u' }), create('b', 5, { uniqueId: 'u' }, refused)], []],
    ['of a voided card it may be free', [create('a', 5, { uniqueId: 'u' }), voided('a'), create('b', 5, { uniqueId: 'u' })], []],
    [
      'after a day it may be forgotten',
      [create('a', 5, { uniqueId: 'u' }), { ...create('b', 5, { uniqueId: 'u' }), after: 86_400_000 }],
      [],
    ],
    ['two accounts', [create('a', 5, { uniqueId: 'u' }), { ...create('b', 5, { uniqueId: 'u' }), key: 'key-2' }], []],
    [
      'a new card with another balance',
      [create('a', 5, {}, { told: card('a', 4) })],
      [['violated', 'gift-card.create.starts-with-given-balance', [1]]],
    ],
    [
      'a new card that is Redeemed',
      [create('a', 5, {}, { told: card('a', 5, 'Redeemed') })],
      [['violated', 'gift-card.create.starts-active', [1]]],
    ],
    [
      'one uniqueAdjustmentId, two cards',
      [create('a', 5), create('b', 5), adjust('a', 1, { uniqueAdjustmentId: 'u' }), adjust('b', 1, { uniqueAdjustmentId: 'u' })],
      [['violated', 'idempotency.adjustment.repeat-on-other-card-refused', [3, 4]]],
    ],
    [
      'the same by the other endpoint',
      [create('a', 5), adjust('a', 1, { uniqueAdjustmentId: 'u' }), byId('a', 1, { uniqueAdjustmentId: 'u' })],
      [['violated', 'idempotency.adjustment.repeat-by-other-endpoint-refused', [2, 3]]],
    ],
    [
      'the same with another amount',
      [create('a', 5), adjust('a', 1, { uniqueAdjustmentId: 'u' }), adjust('a', 2, { uniqueAdjustmentId: 'u' })],
      [['violated', 'idempotency.adjustment.repeat-with-other-content-refused', [2, 3]]],
    ],
    ['without a key', [{ ...get('a', 5), key: null }], [['violated', 'authentication.missing-key-is-401', [1]]]],
    [
      'a rejection that says nothing',
      [create('a', 5, { uniqueId: 'u' }), create('a', 5, { uniqueId: 'u' }, { status: 400, told: { error: 1 } })],
      Array(2).fill(['violated', 'errors.rejection-is-400-plain-text', [2]]),
    ],
    [
      'an adjustment without its moment',
      [create('a', 5), adjust('a', 1, { actionedAtUtc: undefined })],
      [['violated', 'adjustment.requires-actioned-at', [2]]],
    ],
    [
      'a page that is too long',
      [{ does: 'listGiftCards', query: { pageSize: '1' }, told: { giftCards: [{}, {}], totalCount: 2 } }],
      [['violated', 'list.page-size-limits', [1]]],
    ],
    ['201', [create('a', 5, {}, { status: 201 })], [['violated', 'gift-card.create.answers-200', [1]]]],
    [
      'a history without what was booked',
      [
        { does: 'listAdjustmentsByGiftCardCode', named: 'b', told: { it: card('b', 5), rows: [{ value: 5 }, { value: 9 }] } },
        create('a', 5),
        adjust('a', 1.25),
        { does: 'listAdjustmentsByGiftCardCode', named: 'a', told: { it: card('a', 6.25), rows: [{ value: 5 }] } },
      ],
      [['violated', 'adjustment.recorded-in-history', [3, 4]]],
    ],
  ])('%s', (_, rows, expected) => {
    expect(found(rows)).toEqual(expected);
  });
});

describe('what somebody else may have caused is only so where nobody else acts', () => {
  test.each<[string, readonly (Row | readonly Row[])[], unknown[]]>([
    ['an overdraw by ID', [create('a', 5), byId('a', -6)], ['adjustment.by-id.refuses-overdraw', [1, 2]]],
    [
      'one below zero',
      [create('a', 5), adjust('a', -6), byId('a', -1)],
      ['adjustment.by-id.refuses-redemption-below-zero', [1, 3]],
    ],
    [
      'a voided card that is not found',
      [create('a', 5), voided('a'), { does: 'getGiftCardByCode', named: 'a', status: 404 }],
      ['gift-card.void.still-found', [2, 3]],
    ],
    ['a card that cannot be voided', [create('a', 5), { ...voided('a'), status: 404 }], ['gift-card.void.by-code-voids', [1, 2]]],
    [
      'a voided card that holds something',
      [create('a', 5), voided('a'), get('a', 5, 'Voided')],
      ['gift-card.void.zeroes-balance', [2, 3]],
    ],
    [
      'a key that was good',
      [create('a', 5), { ...get('a', 5), status: 401, told: undefined }],
      ['authentication.key-is-in-header', [1, 2]],
    ],
    [
      'a voided card alive',
      [create('a', 5), voided('a'), get('a', 0, 'Voided'), get('a', 0, 'Active')],
      ['gift-card.void.is-final', [2, 4]],
    ],
    ['a void that voids nothing', [create('a', 5), voided('a'), get('a', 0, 'Active')], ['gift-card.void.by-code-voids', [2, 3]]],
    [
      'one uniqueId, two cards',
      [create('a', 5, { uniqueId: 'u' }), create('b', 5, { uniqueId: 'u' })],
      ['idempotency.create.refuses-repeat', [1, 2]],
    ],
    [
      'one uniqueId, two cards at once',
      [[create('a', 5, { uniqueId: 'u' }), create('b', 5, { uniqueId: 'u' })]],
      ['idempotency.create.parallel-makes-one', [1, 2]],
    ],
    [
      'one uniqueId again, refused with another status',
      [unnamed({ uniqueId: 'u' }), unnamed({ uniqueId: 'u' }, { status: 409, told: undefined })],
      ['idempotency.create.refuses-repeat', [1, 2]],
    ],
    [
      'one code again, refused with another status',
      [create('a', 5), create('a', 5, {}, { status: 409, told: undefined })],
      ['gift-card.create.refuses-taken-code', [1, 2]],
    ],
    [
      'one code, two cards',
      [create('a', 5), create('a', 5, {}, { told: { ...card('a', 5), id: 'other' } })],
      ['gift-card.create.refuses-taken-code', [1, 2]],
    ],
  ])('%s', (_, rows, [clause, exchanges]) => {
    expect(found(rows)).toEqual([['cannot-tell', clause, exchanges]]);
    expect(found(rows, true)).toEqual([['violated', clause, exchanges]]);
  });

  test('an overdraw by ID that a top-up under way may have covered', () => {
    expect(found([create('a', 5), [adjust('a', 1), byId('a', -6)], get('a', 0)], true)).toEqual([]);
  });

  test('what passes beside the service may have done anything', () => {
    const tally = new Tally(true, () => {});
    const watch = new Watch(new Reader(standardDocument, []), tally);
    const common = { at: 0, ms: 1, parameters: {}, key: 'key-1', status: 200, own: true };
    const seen = (n: number, more: object) =>
      ({ ...common, n, began: 2 * n, ended: 2 * n + 1, body: json(undefined), answer: json(undefined), ...more }) as Seen;
    const exchanges = [
      seen(1, {
        method: 'POST',
        path: '',
        operation: 'createGiftCard',
        body: json({ balance: 5, code: 'a' }),
        answer: json(card('a', 5)),
      }),
      seen(2, { method: 'POST', path: '/__mock/…', own: false }),
      seen(3, { method: 'GET', path: '', operation: 'getGiftCardByCode', parameters: { code: 'a' }, answer: json(card('a', 9)) }),
    ];
    for (const each of exchanges) {
      watch.begun(each.began);
      watch.ended(each);
    }
    expect(tally.findings.filter(({ kind }) => kind === 'violated')).toEqual([]);
  });
});

test("a key that was never seen to work is the client's affair, and so is a request that is not as it should be", () => {
  const rows = [{ ...get('a', 5), status: 401, told: undefined }, adjust('a', 1, { adjustmentAmount: '1' })];
  expect(
    judged(rows)
      .findings.filter(({ kind }) => kind === 'client')
      .map(({ what }) => what),
  ).toEqual([
    'The key is refused with 401, and was never seen to work.',
    'POST addAdjustmentByGiftCardCode: adjustmentAmount is a string, and should be a number.',
  ]);
});
