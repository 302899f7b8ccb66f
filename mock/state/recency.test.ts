import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ranked, Recency } from './recency.ts';

interface Entry extends Ranked {
  readonly name: number;
  card: { readonly createdAt: number; readonly updatedAt: number };
}

const entryOf = (name: number): Entry => ({ name, card: { createdAt: name % 7, updatedAt: 0 }, block: undefined, slot: 0 });
const entries = (count: number): Entry[] => Array.from({ length: count }, (_, name) => entryOf(name));
/** `late` is the time by which the update is earlier than the time of the step. */
const step = fc.record({ name: fc.nat(), hidden: fc.boolean(), late: fc.option(fc.nat(200)) });
const names = (found: readonly Entry[]) => found.map(({ name }) => name);

test.each([40, 6000])('agrees with an array of %i entries, which move to the front or behind later updates', (count) => {
  const property = fc.property(
    fc.array(step, { maxLength: 400, size: 'max' }),
    fc.nat(count),
    fc.nat(count),
    fc.integer({ min: -1, max: 7 }),
    (steps, position, length, after) => {
      const recency = new Recency<Entry>();
      const all = entries(count);
      let plain: { name: number; hidden: boolean; at: number }[] = [];
      if (count > 100)
        for (const entry of all) {
          recency.touch(entry);
          plain.unshift({ name: entry.name, hidden: false, at: 0 });
        }
      for (const [index, { name: number, hidden, late }] of steps.entries()) {
        const entry = all[number % count] as Entry;
        const at = index + 1 - (late ?? 0);
        entry.card = { ...entry.card, updatedAt: at };
        const others = plain.filter((other) => other.name !== entry.name);
        const place = late === null ? 0 : others.findIndex((other) => other.at <= at);
        plain = others.toSpliced(place < 0 ? others.length : place, 0, { name: entry.name, hidden, at });
        recency.touch(entry, hidden);
        if (late !== null) recency.settle(entry);
      }
      expect(names([...recency.all()])).toEqual(plain.map(({ name }) => name).reverse());
      for (const withHidden of [true, false]) {
        const expected = plain.filter(({ hidden }) => withHidden || !hidden).map(({ name }) => name);
        expect(recency.size(withHidden)).toBe(expected.length);
        const page = recency.page(position, length, withHidden);
        expect([names(page.entries), page.count]).toEqual([expected.slice(position, position + length), expected.length]);
        const issued = recency.page(position, length, withHidden, after);
        const expectedIssued = expected.filter((name) => name % 7 > after);
        expect(names(issued.entries)).toEqual(expectedIssued.slice(position, position + length));
        expect(issued.count).toBe(expectedIssued.length);
        const odd = (name: number) => name % 2 === 1;
        expect(
          names(
            recency.newestOf(
              all.filter(({ name }) => odd(name)),
              withHidden,
            ),
          ),
        ).toEqual(expected.filter(odd));
      }
    },
  );
  fc.assert(property, { numRuns: count > 100 ? 15 : 100 });
});

test('keeps its order when entries move together, over many blocks', () => {
  const recency = new Recency<Entry>();
  const all = entries(5000);
  for (let round = 0; round < 10; round++) for (const entry of all) recency.touch(entry, entry.name % 10 === 0);
  expect([recency.size(true), recency.size(false)]).toEqual([5000, 4500]);
  const at = (position: number, withHidden: boolean) => recency.page(position, 1, withHidden).entries[0]?.name;
  expect([0, 1, 2500, 4999, 5000].map((position) => at(position, true))).toEqual([4999, 4998, 2499, 0, undefined]);
  expect([0, 1, 9, 4499, 4500].map((position) => at(position, false))).toEqual([4999, 4998, 4989, 1, undefined]);
});
