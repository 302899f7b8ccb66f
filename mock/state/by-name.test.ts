import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByName } from './by-name.ts';

interface Thing {
  readonly name: string;
  readonly number: number;
}

function made(...names: string[]) {
  const things = new ByName<Thing>(({ name }) => name);
  for (const [number, name] of names.entries()) things.put({ name, number });
  return things;
}

test('letter case counts unless it is asked for in any', () => {
  const things = made('Ab', 'aB');
  const numberOf = (name: string) => things.get(name, 'exact')?.number;
  expect([numberOf('Ab'), numberOf('aB'), numberOf('ab')]).toEqual([0, 1, undefined]);
});

const NAMES = ['ab', 'Ab', 'aB', 'AB', 'b'];

test('under each name and under each in any case, the thing that was put last is found, and in a copy too', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...NAMES)), (names) => {
      const things = made(...names);
      const copy = new ByName<Thing>(({ name }) => name);
      for (const thing of things.things()) copy.put(thing);
      for (const name of NAMES) {
        const exact = names.lastIndexOf(name);
        const any = names.findLastIndex((other) => other.toLowerCase() === name.toLowerCase());
        for (const each of [things, copy]) {
          expect(each.get(name, 'exact')?.number ?? -1).toBe(exact);
          expect(each.get(name, 'any')?.number ?? -1).toBe(any);
        }
      }
      expect([...things.things()].length).toBe(new Set(names).size);
    }),
  );
});
