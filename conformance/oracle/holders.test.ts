import { describe, expect, test } from 'vitest';
import { adjust, byId, card, create, found, type Row, voided } from '../testing/exchanges-fixture.ts';

type Rows = readonly (Row | readonly Row[])[];
const numbered = (id: string, balance: number, status?: string) => ({ ...card('a', balance, status), id });
const made = (id: string, balance = 5): Row => create('a', balance, {}, { told: numbered(id, balance) });
const lost = { lost: true } as const;
const refused = { status: 409, told: undefined };
const byIdOf = (id: string, told: unknown): Row => ({ does: 'getGiftCardById', named: id, told });
const adjustId = (id: string, amount: number, answer: Partial<Row> = {}) => {
  const row = byId('a', amount, {}, answer);
  return { ...row, asked: { ...row.asked, giftCardId: id } };
};
const historyOf = (id: string, rows: readonly unknown[], balance = 5): Row => ({
  does: 'listAdjustmentsByGiftCardId',
  named: id,
  told: { it: numbered(id, balance), rows },
});
const long = historyOf('z', [{ value: 7 }, { value: 8 }, { value: 9 }]);
const list = (...cards: unknown[]): Row => ({ does: 'listGiftCards', told: { giftCards: cards, totalCount: cards.length } });

describe('where several cards may have had a code, nothing is named of', () => {
  test.each<[string, Rows]>([
    [
      'a new one, since one before it was voided that nobody has seen',
      [create('a', 5, {}, lost), adjust('a', 1), voided('a'), made('1'), byIdOf('1', numbered('1', 5))],
    ],
    [
      'one before it, to which an adjustment by code did not go',
      [
        made('1'),
        voided('a'),
        made('2'),
        list(numbered('2', 5), numbered('1', 0, 'Voided')),
        adjust('a', 3),
        long,
        historyOf('1', [{ value: 5 }], 0),
      ],
    ],
    [
      'one before it, since the code was given again perhaps',
      [made('1'), { ...voided('a'), ...lost }, create('a', 2, {}, lost), adjust('a', 3), long, historyOf('1', [{ value: 5 }], 0)],
    ],
    [
      'one that was voided by its code before it was seen',
      [voided('a'), list(numbered('1', 0, 'Voided')), { ...voided('a'), ...refused }],
    ],
    [
      'one that is known by its ID alone, and may have been voided by its code',
      [
        create('a', 5, {}, lost),
        adjustId('1', 1),
        { ...voided('a'), ...lost },
        { does: 'voidGiftCardById', named: '1', status: 404 },
      ],
    ],
    [
      'one that was known by code and ID before it was seen that they are one',
      [adjustId('1', 1), adjust('a', 1), byIdOf('1', numbered('1', 5)), { does: 'voidGiftCardById', named: '1' }, made('2')],
    ],
    [
      'one that was made late, by a create without an answer',
      [
        create('a', 5, {}, lost),
        { does: 'getGiftCardById', named: '1', status: 404, told: undefined },
        { does: 'voidGiftCardById', named: '1', after: 70_000 },
      ],
    ],
    [
      'one with two adjustments alike, of whose history the older is cut off',
      [
        made('1', 20),
        ...[-1, 5, -1]
          .map((amount) => adjustId('1', amount))
          .map((row, at) => ({
            ...row,
            asked: { ...row.asked, notes: `text-0123456789-${at}`, actionedAtUtc: `2025-12-0${at + 1}T00:00:00Z` },
          })),
        historyOf(
          '1',
          [
            { value: -1, text: 'text-0123456789-2', when: '2025-12-03T00:00:00Z' },
            { value: 5, text: 'text-0123456789-1', when: '2025-12-02T00:00:00Z' },
          ],
          23,
        ),
      ],
    ],
    [
      'one that was made while one before it was voided, which a create without an answer has made',
      [create('a', 5, {}, lost), [made('2'), voided('a')], byIdOf('2', numbered('2', 5))],
    ],
    [
      'a voided one with what was adjusted after a void without an answer',
      [made('1'), { ...voided('a'), ...lost }, adjustId('1', -9), voided('a'), byIdOf('1', numbered('1', -9, 'Voided'))],
    ],
  ])('%s', (_, rows) => {
    expect(found(rows, true)).toEqual([]);
  });
});
