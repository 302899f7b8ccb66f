import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recency } from './recency.ts';

const step = fc.record({ key: fc.integer({ min: 0, max: 30 }).map(String), remove: fc.boolean() });

test('agrees with a plain array, moved to the front at every touch', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const recency = new Recency();
      let plain: string[] = [];
      for (const { key, remove } of steps) {
        plain = plain.filter((other) => other !== key);
        if (remove) recency.remove(key);
        else {
          recency.touch(key);
          plain.unshift(key);
        }
      }
      expect(recency.size).toBe(plain.length);
      const odd = (key: string) => Number(key) % 2 === 1;
      expect(recency.newestOf(Array.from({ length: 40 }, (_, key) => String(key)).filter(odd))).toEqual(plain.filter(odd));
      expect([...plain.keys(), plain.length].map((position) => recency.at(position))).toEqual([...plain, undefined]);
    }),
  );
});

test('keeps its order through sweeps of the slots left behind', () => {
  const recency = new Recency();
  for (let round = 0; round < 10; round++) for (let key = 0; key < 700; key++) recency.touch(String(key));
  expect(recency.size).toBe(700);
  expect([0, 1, 699].map((position) => recency.at(position))).toEqual(['699', '698', '0']);
});
