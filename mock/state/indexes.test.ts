import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextIndex, TimeIndex } from './indexes.ts';

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

test('TimeIndex finds the entries after a time, added in any order', () => {
  const step = fc.record({ at: fc.nat(30), search: fc.option(fc.integer({ min: -1, max: 31 }), { freq: 3 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const index = new TimeIndex<{ id: string; at: number }>(({ at }) => at);
      const entries: { id: string; at: number }[] = [];
      for (const { at, search } of [...steps, { at: 15, search: -1 }]) {
        const entry = { id: String(entries.length), at };
        index.add(entry);
        entries.push(entry);
        if (search === null) continue;
        const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort();
        expect(ids(index.after(search))).toEqual(ids(entries.filter((each) => each.at > search)));
      }
    }),
  );
});
