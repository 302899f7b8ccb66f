import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minimize } from './minimize.ts';

test('the result is exactly what is needed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(30), { maxLength: 30 }), fc.nat(30), fc.nat(4), async (all, seed, count) => {
      const needed = all.filter((each) => (each * 7 + seed) % 5 < 2).slice(0, count);
      const found = await minimize(all, async (some) => needed.every((each) => some.includes(each)));
      expect(found).toEqual(needed);
    }),
  );
});
