import { describe, expect, test } from 'vitest';
import { adjust, card, create, found, get, type Row, voided } from '../testing/exchanges-fixture.ts';

type Shown = ReturnType<typeof card>;
const list = (cards: readonly unknown[], query: Record<string, string> = {}, totalCount = cards.length): Row => ({
  does: 'listGiftCards',
  query,
  told: { giftCards: cards, totalCount },
});
const [a, b] = [card('a', 5), card('b', 5)];
const both = [create('a', 5), create('b', 5)];
const many = Array.from({ length: 12 }, (_, index) => `c${index}`);
const at = (shown: Shown, moment: string) => ({ ...shown, createdAtUtc: moment });
/** A card that says when it was issued. */
const issued = (code: string, moment: string): Row => create(code, 5, {}, { told: at(card(code, 5), moment) });
const [first, second] = [{ pageSize: '2' }, { pageSize: '2', pageNumber: '1' }];
const [before, since, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];

describe('what no other client can have caused is violated in any case', () => {
  test.each<[string, readonly Row[], string]>([
    ['a card twice', [...both, list([b, a, b])], 'list.wraps-cards-and-total'],
    ['a count that is none', [...both, list([b, a], {}, -1.5)], 'list.wraps-cards-and-total'],
    ['one issued before since', [issued('a', before), list([at(a, before)], { since })], 'list.since-goes-by-issue'],
  ])('%s', (_, rows, clause) => {
    expect(found(rows).map(([kind, of]) => [kind, of])).toEqual([['violated', clause]]);
  });
});

describe('what somebody else may have caused is only so where nobody else acts', () => {
  test.each<[string, readonly Row[], string]>([
    ['fewer counted than there stand', [...both, list([b, a], {}, 1)], 'list.wraps-cards-and-total'],
    ['a new card that is missing', [...both, list([a])], 'list.wraps-cards-and-total'],
    ['a voided card that is Active', [...both, voided('a'), list([card('a', 0), b])], 'gift-card.void.by-code-voids'],
    ['a first page that is empty', [...both, list([], {}, 2)], 'list.wraps-cards-and-total'],
    ['a voided card that is missing', [...both, voided('a'), list([b])], 'list.includes-voided'],
    ['one without balance that is missing', [...both, adjust('a', -5), get('a', 0), list([b])], 'list.includes-redeemed'],
    ['one issued after since that is missing', [issued('a', later), list([], { since })], 'list.since-is-strictly-after'],
    ['another balance', [...both, list([b, card('a', 6)])], 'list.wraps-cards-and-total'],
    ['the balance before an adjustment', [...both, adjust('a', 1), list([a, b])], 'adjustment.positive-tops-up'],
    ['three cards, where there are twelve', [...many.map((code) => create(code, 5)), list([a, b])], 'list.page-size-default'],
    [
      'a page twice',
      [...both, create('c', 5), { ...list([b, a], first, 3), after: 90_000 }, list([b, a], second, 3)],
      'list.page-number-from-zero',
    ],
    [
      'the voided card last',
      [
        create('a', 5),
        create('b', 5, {}, { after: 90_000 }),
        { ...voided('a'), after: 90_000 },
        list([b, card('a', 0, 'Voided')]),
      ],
      'list.last-updated-first',
    ],
  ])('%s', (_, rows, clause) => {
    expect(found(rows).map(([kind, of]) => [kind, of])).toEqual([['cannot-tell', clause]]);
    expect(found(rows, true).map(([kind, of]) => [kind, of])).toEqual([['violated', clause]]);
  });
});

describe('nothing is said of a list', () => {
  test.each<[string, readonly (Row | readonly Row[])[]]>([
    ['as it should be', [...both, list([b, a])]],
    ['of cards of which only some names are shown', [...both, voided('a'), list([{ id: 'id-a', code: 'a' }, { number: 'b' }])]],
    ['that counts others as well', [...both, list([b, a], {}, 9)]],
    ['while a card is created', [create('a', 5), [create('b', 5), list([a])]]],
    ['that is full', [...both, list([b], { pageSize: '1' })]],
    ['of records that nobody can tell apart', [...both, list([{ ref: 7 }, { ref: 8 }])]],
    ['of a size that can be read in several ways', [...both, list([b], { pageSize: '60' })]],
    ['of a page twice, while cards move', [...both, list([b, a], first), list([b, a], second)]],
    ['of a card twice, on two pages', [...both, { ...list([b, a], first), after: 9_000 }, list([a, card('c', 5)], second)]],
    ['of the second page', [...both, list([a], { pageNumber: '1' }, 12)]],
    ['since a moment at which the card was issued', [issued('a', since), list([], { since })]],
    ['since a moment just before that', [issued('a', since), list([at(a, since)], { since })]],
    ['since a moment that nobody can read', [...both, list([], { since: 'text-since' })]],
    ['with the balance of an adjustment under way', [...both, [adjust('a', 1), list([card('a', 6), b])]]],
    ['with a voided card that has expired', [...both, voided('a'), list([card('a', 0, 'Expired'), b])]],
    ['in any order of what came at about the same time', [...both, list([a, b])]],
  ])('%s', (_, rows) => {
    expect(found(rows, true)).toEqual([]);
  });
});
