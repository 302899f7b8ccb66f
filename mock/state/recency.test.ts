import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Ranked, Recency } from './recency.ts';

interface Entry extends Ranked {
  readonly name: number;
}

const entries = (count: number): Entry[] => Array.from({ length: count }, (_, name) => ({ name, slot: -1 }));
const step = fc.record({ name: fc.integer({ min: 0, max: 30 }), hidden: fc.boolean() });

test('agrees with an array whose entries move to the front at every update', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.nat(35), fc.nat(35), (steps, position, length) => {
      const recency = new Recency<Entry>();
      const all = entries(40);
      let plain: { name: number; hidden: boolean }[] = [];
      for (const { name, hidden } of steps) {
        plain = [{ name, hidden }, ...plain.filter((other) => other.name !== name)];
        recency.touch(all[name] as Entry, hidden);
      }
      for (const withHidden of [true, false]) {
        const expected = plain.filter(({ hidden }) => withHidden || !hidden).map(({ name }) => name);
        expect(recency.size(withHidden)).toBe(expected.length);
        const names = (found: readonly Entry[]) => found.map(({ name }) => name);
        expect(names(recency.page(position, length, withHidden))).toEqual(expected.slice(position, position + length));
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
    }),
  );
});

test('keeps its order when entries move together, over many blocks', () => {
  const recency = new Recency<Entry>();
  const all = entries(5000);
  for (let round = 0; round < 10; round++) for (const entry of all) recency.touch(entry, entry.name % 10 === 0);
  expect([recency.size(true), recency.size(false)]).toEqual([5000, 4500]);
  const at = (position: number, withHidden: boolean) => recency.page(position, 1, withHidden)[0]?.name;
  expect([0, 1, 2500, 4999, 5000].map((position) => at(position, true))).toEqual([4999, 4998, 2499, 0, undefined]);
  expect([0, 1, 9, 4499, 4500].map((position) => at(position, false))).toEqual([4999, 4998, 4989, 1, undefined]);
});
