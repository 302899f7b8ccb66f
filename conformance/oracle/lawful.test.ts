import { describe, expect, test } from 'vitest';
import { adjust, card, create, found, get, type Row, voided } from '../testing/exchanges-fixture.ts';

type Rows = readonly (Row | readonly Row[])[];
const brief = (rows: Rows, onlyClient = false) => found(rows, onlyClient).map(([kind, clause]) => [kind, clause]);
const list = (cards: readonly unknown[], query: Record<string, string> = {}, totalCount = cards.length): Row => ({
  does: 'listGiftCards',
  query,
  told: { giftCards: cards, totalCount },
});
const [lost, conflict, notFound, refusedAsJson] = [
  { lost: true } as const,
  { status: 409, told: undefined },
  { status: 404, told: undefined },
  { status: 400, told: { errors: { email: ['is none'] } } },
];
/** Of another card, which shows that a history may be so long. */
const longer: Row = {
  does: 'listAdjustmentsByGiftCardCode',
  named: 'z',
  told: { it: card('z', 1), rows: [{ value: 0.5 }, { value: 1.5 }] },
};
const zoneless = '2026-01-01T07:00:00';
const other = { ...card('a', 5), id: 'other' };

describe('of a code that two cards have', () => {
  const twice = [create('a', 5), create('a', 5, {}, { told: other })];
  const [taken, cannotTell] = ['gift-card.create.refuses-taken-code', 'cannot-tell'];
  const shared = list([other, card('a', 5)]);
  test('a list that shows both of them in use leaves no doubt', () => {
    expect(brief([...twice, shared])).toEqual([
      [cannotTell, taken],
      ['violated', taken],
    ]);
  });

  test.each<[string, Row]>([
    ['one that shows one of them voided', list([other, card('a', 5, 'Voided')])],
    ['one with deleted cards', list([other, card('a', 5)], { includeAll: 'true' })],
    ['one card', list([other])],
  ])('%s leaves it', (_, row) => {
    expect(brief([...twice, row]).filter(([kind]) => kind === 'violated')).toEqual([]);
  });
});

describe('nothing is named, whoever acts, of', () => {
  const email = { recipientEmailAddress: 'nobody' };
  const expired = { expiresAtUtc: '2026-01-01T00:00:10Z' };
  test.each<[string, Rows]>([
    [
      'a repeat that has a fault of its own',
      [create('a', 5, { uniqueId: 'u' }), create('a', 5, { uniqueId: 'u', ...email }, refusedAsJson)],
    ],
    ['a taken code beside another fault', [create('a', 5), create('a', 5, email, conflict)]],
    [
      'a taken uniqueId with a code that may be no good',
      [create('a', 5, { uniqueId: 'u' }), create('b', 5, { uniqueId: 'u' }, conflict)],
    ],
    [
      'a repeat whose expiry is past now',
      [
        create('a', 5, { uniqueId: 'u', ...expired }),
        create('a', 5, { uniqueId: 'u', ...expired }, { ...conflict, after: 20_000 }),
      ],
    ],
    [
      'an adjustment that is repeated with another amount',
      [
        create('a', 5),
        adjust('a', 1, { uniqueAdjustmentId: 'u' }),
        adjust('a', 0.001, { uniqueAdjustmentId: 'u' }, refusedAsJson),
      ],
    ],
    [
      'one that is repeated where its card has expired',
      [
        create('a', 5, expired),
        adjust('a', 1, { uniqueAdjustmentId: 'u', actionedAtUtc: '2025-12-01T00:00:00Z' }),
        { ...adjust('a', 1, { uniqueAdjustmentId: 'u', actionedAtUtc: '2025-12-01T00:00:00Z' }, conflict), after: 20_000 },
      ],
    ],
    [
      'a missing moment beside another fault',
      [create('a', 5), adjust('a', 1, { actionedAtUtc: undefined, notes: 7 }, refusedAsJson)],
    ],
    [
      'one that is refused in another way',
      [create('a', 5), adjust('a', 1, { actionedAtUtc: undefined }, { status: 422, told: undefined })],
    ],
    [
      'a code that is given again while it is being given',
      [[create('a', 5, { uniqueId: 'u' }), create('a', 5, { uniqueId: 'u' }, lost)], create('a', 5, { uniqueId: 'u' }, conflict)],
    ],
    ['a code that is given again while its card is voided', [create('a', 5), [create('a', 5, {}, { told: other }), voided('a')]]],
    [
      'a history of one of two cards, without what was adjusted when the code went from one to the other',
      [
        ...[create('a', 5), voided('a'), [create('a', 5, {}, { told: other }), adjust('a', 1, { notes: 'one' })]],
        { does: 'listAdjustmentsByGiftCardId', named: 'z', told: { it: card('z', 5), rows: [{ value: 1 }, { value: 2 }] } },
        { does: 'listAdjustmentsByGiftCardId', named: 'other', told: { it: other, rows: [{ value: 9 }] } },
      ],
    ],
    ['a request without a key for what is not there', [{ ...get('a', 5), key: null, status: 404, told: undefined }]],
    ['one without a key that cannot be read', [create('a', 5, {}, { key: null, status: 400, told: undefined })]],
    [
      'a code that is given again after a void without an answer',
      [create('a', 5), { ...voided('a'), ...lost }, create('a', 5, {}, { told: other })],
    ],
    [
      'a code that is given again after a void in another spelling',
      [create('a', 5), { does: 'voidGiftCardById', named: 'ID-A' }, create('a', 5, {}, { told: other })],
    ],
    [
      'a code that is given again after a void of who knows what',
      [create('a', 5), { ...voided('a'), named: undefined as never }, create('a', 5, {}, { told: other })],
    ],
    [
      'a card in use since a moment without a zone',
      [create('a', 5, {}, { told: { ...card('a', 5), createdAtUtc: zoneless } }), list([], { since: '2026-01-01T06:00:00Z' })],
    ],
    [
      'one issued at such a moment',
      [
        create('a', 5, {}, { told: { ...card('a', 5), createdAtUtc: zoneless } }),
        list([{ ...card('a', 5), createdAtUtc: zoneless }], { since: '2026-01-01T08:00:00Z' }),
      ],
    ],
    [
      'a list since such a moment',
      [create('a', 5, {}, { told: { ...card('a', 5), createdAtUtc: '2026-01-01T08:00:00Z' } }), list([], { since: zoneless })],
    ],
  ])('%s', (_, rows) => {
    expect([brief(rows), brief(rows, true)]).toEqual([[], []]);
  });
});

describe('nothing is named where nobody else acts, either, of', () => {
  test.each<[string, Rows]>([
    [
      'an adjustment of a card that may have expired',
      [
        create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }),
        ...[adjust('a', 1), get('a', 6)],
        adjust('a', 1, {}, { ...conflict, after: 20_000 }),
      ],
    ],
    [
      'a new card that an adjustment without an answer has moved, which was for the one before',
      [
        create('a', 5),
        adjust('a', 2, {}, lost),
        voided('a'),
        create('a', 5, {}, { told: other }),
        { ...get('a', 7), told: { ...other, balance: 7 } },
      ],
    ],
    [
      'the order of cards of which one was voided by its code in other letters',
      [
        create('a', 5),
        create('b', 5, {}, { after: 90_000 }),
        voided('A'),
        { ...list([card('a', 0, 'Voided'), card('b', 5)]), after: 90_000 },
      ],
    ],
    [
      'a card that is voided by its code in other letters, by which looking up does not find it',
      [create('a', 5), { ...get('A', 5), ...notFound }, voided('A')],
    ],
    [
      'the balance of a card that may have been voided before, and been adjusted since',
      [adjust('a', 1), voided('a'), get('a', 1, 'Voided')],
    ],
    [
      'a second void by a code that an expired card has had, too',
      [list([{ ...other, status: 'Voided' }, card('a', 5, 'Expired')]), { ...voided('a'), ...conflict }],
    ],
    ['a second void of a card that was adjusted and never shown', [adjust('a', 1), { ...voided('a'), ...conflict }]],
    [
      'the history of a voided card whose code may lead to another one, which was adjusted',
      [
        adjust('a', 1, { notes: 'one' }),
        longer,
        { does: 'listAdjustmentsByGiftCardId', named: 'id-a', told: { it: card('a', 0, 'Voided'), rows: [] } },
      ],
    ],
    [
      'a second void of a card that a list shows as voided',
      [list([card('a', 0, 'Voided')]), { ...voided('a'), ...notFound }, create('b', 5)],
    ],
    ['the code of a card that a list shows as expired', [list([card('a', 5, 'Expired')]), create('a', 5, {}, { told: other })]],
    ['a card that was voided by its code in other letters', [create('a', 5), voided('A'), { ...get('A', 0), ...notFound }]],
    [
      'a look by a code that an expired card had before the voided one',
      [
        create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }),
        { ...create('a', 5, {}, { told: other }), after: 20_000 },
        { ...voided('a'), does: 'voidGiftCardById', named: 'other' },
        { ...get('a', 0, 'Voided'), told: { ...other, balance: 0, status: 'Voided' } },
      ],
    ],
    [
      'one that a create without an answer has made, which such an adjustment has moved late',
      [
        ...[create('a', 5), adjust('a', 2, {}, lost), voided('a'), create('a', 5, {}, lost)],
        ...[5, 7].map((balance): Row => ({ does: 'getGiftCardById', named: 'other', told: { ...other, balance } })),
      ],
    ],
    [
      'a card of which a list tells no status, and which may have expired',
      [
        create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }),
        { ...list([{ id: 'id-a', code: 'a', balance: 0 }]), after: 20_000 },
      ],
    ],
    [
      'the code of a card that may have expired',
      [create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }), { ...create('a', 5, {}, { told: other }), after: 20_000 }],
    ],
    ['the code of a card that has expired', [create('a', 5), get('a', 0, 'Expired'), create('a', 5, {}, { told: other })]],
    [
      'a webhook that deliveries of expiries may have disabled',
      [
        create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }),
        { does: 'createWebhook', asked: { url: 'https://a.example/' }, told: { url: 'https://a.example/' } },
        { does: 'listWebhooks', told: [] },
      ],
    ],
    [
      'a card that is moved by its expiry',
      [create('a', 5, { expiresAtUtc: '2026-01-01T00:00:10Z' }), { ...get('a', 0, 'Expired'), after: 20_000 }],
    ],
    [
      'the order of cards of which one may have been given meanwhile',
      [
        create('a', 5, { giftScheduledForUtc: '2026-01-01T00:03:00Z' }),
        create('b', 5, {}, { after: 90_000 }),
        { ...list([card('a', 5), card('b', 5)]), after: 90_000 },
      ],
    ],
    [
      'a page behind the last one that is the last one',
      [
        create('a', 5),
        create('b', 5),
        { ...list([card('b', 5), card('a', 5)], { pageSize: '2' }), after: 90_000 },
        list([card('b', 5), card('a', 5)], { pageSize: '2', pageNumber: '1' }),
      ],
    ],
    ['a count while a card is created', [create('a', 5), [create('b', 5), list([card('b', 5), card('a', 5)], {}, 1)]]],
    [
      'a count where a card may be created still',
      [create('a', 5), create('b', 5, {}, lost), list([card('b', 5), card('a', 5)], {}, 1)],
    ],
    [
      'a voided card that holds what an adjustment without an answer may have brought',
      [create('a', 5), adjust('a', 1, {}, lost), voided('a'), get('a', 1, 'Voided')],
    ],
  ])('%s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});
