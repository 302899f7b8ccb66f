import { describe, expect, test } from 'vitest';
import { card, create, found, get, type Row, voided } from '../testing/exchanges-fixture.ts';

type Rows = readonly (Row | readonly Row[])[];
const brief = (rows: Rows, onlyClient = false) => found(rows, onlyClient).map(([kind, clause]) => [kind, clause]);

const numbered = (code: string, id: string) => ({ ...card(code, 5), id });
/** Without a code, so that the service makes one. */
const generated = (code: string, id: string): Row => ({
  does: 'createGiftCard',
  asked: { balance: 5 },
  told: numbered(code, id),
});
const given = (code: string, id: string): Row => create(code, 5, {}, { told: numbered(code, id) });
const lookedUp = (code: string, id: string): Row => ({ ...get(code, 5), told: numbered(code, id) });

describe('two cards are not one', () => {
  test.each<[string, Rows, string]>([
    ['by codes that were made', [generated('g', '1'), generated('g', '2')], 'gift-card.create.generates-code'],
    ['by codes that were made at once', [[generated('g', '1'), generated('g', '2')]], 'gift-card.create.generates-code'],
    ['by one code that was given at once', [[given('a', '1'), given('a', '2')]], 'gift-card.create.refuses-taken-code'],
  ])('%s', (_, rows, clause) => {
    // Somebody may have voided the one before the other was made.
    expect(brief(rows)).toEqual([['cannot-tell', clause]]);
    expect(brief(rows, true)).toEqual([['violated', clause]]);
  });

  test.each<[string, Rows]>([
    ['a code that has got another ID', [given('a', '1'), lookedUp('a', '2')]],
    ['a code that has got the ID of another card', [given('a', '1'), given('b', '2'), lookedUp('b', '1')]],
  ])('%s, which others may have caused', (_, rows) => {
    expect(brief(rows)).toEqual([['cannot-tell', 'gift-card.get-by-code.returns-the-card']]);
    expect(brief(rows, true)).toEqual([['violated', 'gift-card.get-by-code.returns-the-card']]);
  });

  test.each<[string, Rows]>([
    ['of codes of their own', [generated('g', '1'), generated('h', '2'), lookedUp('g', '1')]],
    ['whose code came from one that is voided', [generated('g', '1'), voided('g'), generated('g', '2'), lookedUp('g', '2')]],
    ['at once, with a void under way', [[given('a', '1'), voided('a'), given('a', '2')]]],
    [
      'at once, of which one is refused',
      [[given('a', '1'), create('a', 5, {}, { status: 400, told: undefined })], lookedUp('a', '1')],
    ],
  ])('nothing is said of cards %s', (_, rows) => {
    expect(brief(rows, true)).toEqual([]);
  });
});
