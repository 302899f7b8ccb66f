import { expect, test } from 'vitest';
import { ByName } from './by-name.ts';

function named(...names: string[]) {
  const things = new ByName<string>();
  for (const [index, name] of names.entries()) things.put(name, `${name} ${index}`);
  return things;
}

test('letter case counts unless it is asked for in any', () => {
  const things = named('Ab', 'aB');
  expect([things.get('Ab', 'exact'), things.get('aB', 'exact'), things.get('ab', 'exact')]).toEqual(['Ab 0', 'aB 1', undefined]);
});

test.each([
  ['before anybody asked', false],
  ['after somebody asked', true],
])('in any case the thing that was put last is found, as it was put %s', (_, asked) => {
  const things = named('ab', 'AB');
  if (asked) things.get('ab', 'any');
  things.put('ab', 'again');
  expect([things.get('AB', 'any'), things.get('AB', 'exact')]).toEqual(['again', 'AB 1']);
});
