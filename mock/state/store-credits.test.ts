import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Placed, Recency } from './recency.ts';
import { StoreCredits } from './store-credits.ts';

interface Card extends Placed {
  readonly number: number;
}

test('a page without store credits is what a plain list without them says', () => {
  const card = fc.record({ isCredit: fc.boolean(), isHidden: fc.boolean() });
  const page = fc.record({ position: fc.nat(12), length: fc.integer({ min: 1, max: 5 }), withHidden: fc.boolean() });
  fc.assert(
    fc.property(fc.array(card, { maxLength: 12 }), page, (given, { position, length, withHidden }) => {
      const order = new Recency<Card>();
      const credits = new StoreCredits(order);
      const others: number[] = [];
      for (const [number, { isCredit, isHidden }] of given.entries()) {
        const placed: Card = { number, slot: -1 };
        order.touch(placed, isHidden);
        if (isCredit) credits.add(placed);
        else if (withHidden || !isHidden) others.unshift(number);
      }
      const numbers = credits.pageOfOthers(position, length, withHidden).map(({ number }) => number);
      expect(numbers).toEqual(others.slice(position, position + length));
      expect(credits.countOthers(withHidden)).toBe(others.length);
    }),
  );
});
