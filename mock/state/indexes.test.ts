import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextIndex } from './indexes.ts';

const NAMES = ['ab', 'Ab', 'aB', 'AB', 'b'];

test('TextIndex finds the entries of a text in any letter case, until they are removed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...NAMES)), (names) => {
      const index = new TextIndex<{ name: string }>();
      const entries = names.map((name) => ({ name }));
      for (const entry of entries) index.add(entry, entry.name);
      for (;;) {
        for (const name of NAMES)
          expect(index.get(name)).toEqual(entries.filter((each) => each.name.toLowerCase() === name.toLowerCase()));
        const first = entries.shift();
        if (!first) break;
        index.remove(first, first.name);
      }
    }),
  );
});
