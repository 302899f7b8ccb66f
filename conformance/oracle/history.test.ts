import { describe, expect, test } from 'vitest';
import { adjust, card, create, found, type Row, voided } from '../testing/exchanges-fixture.ts';

type Entry = Record<string, unknown>;

/** As an answer has notes that are veiled. */
const noted = (name: string) => `text-0123456789-${name}`;
const [one, two, three] = [noted('one'), noted('two'), noted('three')];
const moment = (hour: number) => `2025-12-01T0${hour}:00:00Z`;

/** That of another card, which shows that a history may be so long. */
const longer: Row = {
  does: 'listAdjustmentsByGiftCardCode',
  named: 'z',
  told: { it: card('z', 1), rows: Array.from({ length: 7 }, (_, at) => ({ value: at + 0.5 })) },
};

/** A card of 20 and three adjustments at different hours, with one history of them. */
const story = (rows: readonly Entry[], { held = 16.25, after = 5_000, notes = [one, two, three] } = {}): Row[] => [
  create('a', 20),
  ...[-5, 2.5, -1.25].map((amount, index) =>
    adjust('a', amount, { notes: notes[index], actionedAtUtc: moment(index + 1) }, { after }),
  ),
  { does: 'listAdjustmentsByGiftCardCode', named: 'a', told: { it: card('a', held), rows } },
];
/** The same with a count in the answer. */
const counting = (rows: readonly Row[]): Row[] =>
  rows.map((row) =>
    row.does === 'createGiftCard' || row.asked ? row : { ...row, told: { ...(row.told as object), totalCount: 3 } },
  );
const entries: Entry[] = [
  { value: -1.25, kind: 'Redemption', text: three, when: moment(3), ref: 'c' },
  { value: 2.5, kind: 'TopUp', text: two, when: moment(2), ref: 'b' },
  { value: -5, kind: 'Redemption', text: one, when: moment(1), ref: 'a' },
];
const changed = (change: (entry: Entry, index: number) => Entry) => entries.map(change);

describe('of a history that is not what was booked is said', () => {
  test.each<[string, readonly Row[], string]>([
    ['amounts', story(changed((each) => ({ ...each, value: (each.value as number) + 7.77 }))), 'adjustment.recorded-in-history'],
    [
      'one missing of several with equal notes',
      story(entries.slice(1), { notes: [one, one, one] }),
      'adjustment.recorded-in-history',
    ],
    ['notes', story(changed((each) => ({ ...each, text: noted('other') }))), 'adjustment.keeps-notes'],
    ['no notes at all', story(changed(({ text, ...each }) => each)), 'adjustment.keeps-notes'],
    ['times', story(changed((each) => ({ ...each, when: '2001-01-01T00:00:00Z' }))), 'adjustment.keeps-actioned-at'],
    ['no times', story(changed(({ when, ...each }) => each)), 'adjustment.history.entry-tells-amount-type-notes-time'],
    ['order', story(entries.toReversed()), 'adjustment.history.newest-first'],
    [
      'order, as the entries themselves tell it',
      story(changed((each, index) => ({ ...each, made: `2026-01-01T00:00:00.${9 - index}00Z` })).toReversed(), { after: 20 }),
      'adjustment.history.newest-first',
    ],
  ])('%s', (_, rows, clause) => {
    const of = (...all: Parameters<typeof found>) => new Set(found(...all).map(([kind, each]) => `${kind} ${each}`));
    expect(of([longer, ...rows])).toEqual(new Set([`violated ${clause}`]));
  });

  test.each<[string, readonly Row[], string]>([
    ['an entry twice', story([...entries, ...entries]), 'adjustment.recorded-in-history'],
    ['the newest missing', story(entries.slice(1)), 'adjustment.recorded-in-history'],
    ['another balance', story(entries, { held: 17.25 }), 'adjustment.negative-redeems'],
  ])('%s, which others may have caused', (_, rows, clause) => {
    const of = (onlyClient: boolean) => new Set(found(rows, onlyClient).map(([kind, each]) => `${kind} ${each}`));
    expect(of(false)).toEqual(new Set([`cannot-tell ${clause}`]));
    expect(of(true)).toEqual(new Set([`violated ${clause}`]));
  });
});

describe('of a history that may be cut is not known', () => {
  test.each<[string, readonly Row[], string]>([
    ['its order, where others may have booked the same', story(entries.toReversed()), 'adjustment.history.newest-first'],
    ['notes, where the entry may be of others', story(changed(({ text, ...each }) => each)), 'adjustment.keeps-notes'],
  ])('%s', (_, rows, clause) => {
    const of = (onlyClient: boolean) => new Set(found(rows, onlyClient).map(([kind, each]) => `${kind} ${each}`));
    expect(of(false)).toEqual(new Set([`cannot-tell ${clause}`]));
    expect(of(true)).toEqual(new Set([`violated ${clause}`]));
  });
});

describe('nothing is said of a history', () => {
  test.each<[string, readonly Row[]]>([
    ['as it should be', story(entries)],
    [
      'that shows its issue, and an adjustment of that amount on another page',
      [
        ...[create('a', 20), adjust('a', -20, { notes: one })],
        {
          does: 'listAdjustmentsByGiftCardCode',
          named: 'a',
          told: { it: card('a', 0), rows: [{ value: 20, when: '2026-01-01T00:00:00Z' }] },
        },
      ],
    ],
    [
      'that has its issue in the same words as a top-up',
      [
        ...[create('a', 20), adjust('a', 20)],
        {
          does: 'listAdjustmentsByGiftCardCode',
          named: 'a',
          told: {
            it: card('a', 40),
            rows: [{ value: 20 }, { value: 20 }].map((each) => ({ ...each, when: '2025-12-01T00:00:00Z' })),
          },
        },
      ],
    ],
    ['of which one may be on another page', story(entries.slice(0, 1))],
    ['on which something else stands first', story([{ value: 20, when: moment(4) }])],
    ['of which nobody sees how much of it is there', [longer, ...counting(story(entries.slice(0, 2)))]],
    ['that was asked for by parts', [longer, ...story(entries.slice(0, 2)).map((row) => ({ ...row, query: { pageSize: '2' } }))]],
    ['with times of a zone that nobody names', story(changed((each) => ({ ...each, when: '2025-12-01T09:00:00' })))],
    [
      'in an order that only such times tell',
      story(
        changed((each, index) => ({
          ...each,
          when: String(each.when).slice(0, -1),
          made: `2026-01-01T00:00:00.${9 - index}00`,
        })).toReversed(),
        { after: 20 },
      ),
    ],
    [
      'with amounts without a sign, in a column for each direction',
      story(changed(({ value, ...each }) => ({ ...each, [(value as number) < 0 ? 'out' : 'in']: Math.abs(value as number) }))),
    ],
    [
      'with amounts as figures that are veiled, beside others as numbers',
      [
        longer,
        ...story(
          changed(({ value, ...each }, index) => ({ ...each, told: `${noted(String(index))}-figure`, balanceAmount: 77 })),
        ),
      ],
    ],
    ['with amounts as texts that are veiled', story(changed(({ value, ...each }) => ({ ...each, told: noted(String(value)) })))],
    [
      'with amounts that look like numbers of cards, and are veiled',
      story(changed(({ value, ...each }, index) => ({ ...each, value: { number: 1e14 + index } }))),
    ],
    ['with something before the notes', story(changed((each) => ({ ...each, text: noted(`before-${each.text}`) })))],
    [
      'with notes within others, of which one amount has two',
      [
        create('a', 20),
        ...[one, one, two].map((notes, at) => adjust('a', at === 1 ? -2 : -1, { notes })),
        {
          does: 'listAdjustmentsByGiftCardCode',
          named: 'a',
          told: {
            it: card('a', 16),
            rows: [two, one, one].map((text, at) => ({
              sum: at === 1 ? -2 : -1,
              text: noted(`before-${text}`),
              at: '2025-12-01T00:00:00Z',
            })),
          },
        },
      ],
    ],
    [
      'that is cut, with an entry of a void that has the amount of an adjustment',
      [
        ...[create('a', 4), adjust('a', -2, { notes: one }), voided('A')],
        {
          does: 'listAdjustmentsByGiftCardCode',
          named: 'a',
          told: { it: card('a', 0, 'Voided'), rows: [{ sum: -2, text: null, at: '2026-01-01T00:00:00Z' }] },
        },
      ],
    ],
    ['with times that nobody can read', story(changed((each) => ({ ...each, when: noted(`at-${each.when}`) })))],
    [
      'with the issue and what others booked',
      story([{ value: 20, when: moment(4) }, ...entries, { value: 20, text: noted('issue'), when: moment(0) }], { held: 16.25 }),
    ],
    ['of adjustments within one second, in any order', story(entries.toReversed(), { after: 20 })],
    [
      'with two adjustments that are alike in everything',
      [
        create('a', 20),
        ...[1, 2].map(() => adjust('a', -1, { notes: one })),
        {
          does: 'listAdjustmentsByGiftCardCode',
          named: 'a',
          told: { it: card('a', 18), rows: [1, 2].map(() => ({ sum: -1, text: one, at: '2025-12-01T00:00:00Z' })) },
        },
      ],
    ],
  ])('%s', (_, rows) => {
    expect(found(rows, true)).toEqual([]);
  });
});
