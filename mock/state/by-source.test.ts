import { expect, test } from 'vitest';
import { BySource } from './by-source.ts';
import type { ListingRecord } from './records.ts';

function listing(channelId: string, sourceId: string, state: ListingRecord['state'] = 'synced'): ListingRecord {
  return { channelId, cardId: 'card', sourceId, balance: 0, state, error: null };
}

test('finds what was listed before anybody asked, and what was listed since', () => {
  const [first, second] = [{ listings: [listing('shop', '1'), listing('till', '1')] }, { listings: [listing('shop', '2')] }];
  const bySource = new BySource<typeof first>();
  const get = (channel: string, source: string) => bySource.get(channel, source, [first]);
  expect([get('shop', '1'), get('till', '1'), get('shop', '2')]).toEqual([first, first, undefined]);
  bySource.put(second, undefined, listing('shop', '2'));
  bySource.put(second, undefined, listing('kiosk', '2'));
  expect([get('shop', '2'), get('kiosk', '2')]).toEqual([second, second]);
});

test.each([false, true])('does not find what the channel does not take, or takes no more (asked before: %s)', (asked) => {
  const before = listing('shop', '1');
  const thing = { listings: [before] };
  const bySource = new BySource<typeof thing>();
  if (asked) expect(bySource.get('shop', '1', [thing])).toBe(thing);
  const after = listing('shop', '1', 'sync-error');
  thing.listings = [after];
  bySource.put(thing, before, after);
  expect(bySource.get('shop', '1', [thing])).toBe(undefined);
});
