import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameIndex, RecipientIndex, SourceIndex, TimeIndex } from './indexes.ts';
import type { ListingRecord } from './records.ts';

const NAMES = ['ab', 'Ab', 'aB', 'AB', 'b'];

test('NameIndex finds the last entry of a name, exactly and in any letter case', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...NAMES)), (names) => {
      const index = new NameIndex<{ name: string; number: number }>(({ name }) => name);
      for (const [number, name] of names.entries()) index.add({ name, number });
      for (const name of NAMES) {
        expect(index.get(name, 'exact')?.number ?? -1).toBe(names.lastIndexOf(name));
        const last = names.findLastIndex((other) => other.toLowerCase() === name.toLowerCase());
        expect(index.get(name, 'any')?.number ?? -1).toBe(last);
      }
    }),
  );
});

test('RecipientIndex finds the entries of an address in any letter case, until they move', () => {
  const index = new RecipientIndex<string>();
  index.move('one', 'Ada@example.com', null);
  index.move('two', 'ada@EXAMPLE.com', null);
  expect(index.get('ADA@example.com')).toEqual(['one', 'two']);
  index.move('one', 'bea@example.com', 'Ada@example.com');
  expect([index.get('ada@example.com'), index.get('bea@example.com')]).toEqual([['two'], ['one']]);
  index.move('one', null, 'bea@example.com');
  expect([index.get('bea@example.com'), index.get('unknown@example.com')]).toEqual([[], []]);
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

function listing(channelId: string, sourceId: string, state: ListingRecord['state'] = 'synced'): ListingRecord {
  return { channelId, cardId: 'card', sourceId, balance: 0, state, error: null };
}

test('SourceIndex finds entries listed before and after the first search', () => {
  const [first, second] = [{ listings: [listing('shop', '1'), listing('till', '1')] }, { listings: [listing('shop', '2')] }];
  const index = new SourceIndex<typeof first>();
  const get = (channel: string, source: string) => index.get(channel, source, [first]);
  expect([get('shop', '1'), get('till', '1'), get('shop', '2')]).toEqual([first, first, undefined]);
  index.put(second, listing('shop', '2'));
  index.put(second, listing('kiosk', '2'));
  expect([get('shop', '2'), get('kiosk', '2')]).toEqual([second, second]);
});

test.each([false, true])('SourceIndex does not find an entry with a sync error (searched before: %s)', (isSearched) => {
  const before = listing('shop', '1');
  const entry = { listings: [before] };
  const index = new SourceIndex<typeof entry>();
  if (isSearched) expect(index.get('shop', '1', [entry])).toBe(entry);
  const after = listing('shop', '1', 'sync-error');
  entry.listings = [after];
  index.put(entry, after, before);
  expect(index.get('shop', '1', [entry])).toBe(undefined);
});
