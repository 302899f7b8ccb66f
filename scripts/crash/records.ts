import { arrays, leaves } from '../../conformance/http/json-search.ts';
import type { Mock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** Cards, webhooks and coupons of a mock's accounts, as JSON by ID. Voided cards count as gone. */
export type Records = ReadonlyMap<string, string>;

export async function recordsOf(mock: Mock): Promise<Records> {
  const found = new Map<string, string>();
  for (const key of [mock.apiKey, defaultWorldProfile.secondKey as string]) {
    const get = async (path: string) =>
      (await mock.fetch(new Request(`${mock.url}${path}`, { headers: { 'x-api-key': key } }))).json();
    const records = [arrays(await get('/api/Webhook/List')).at(0), arrays(await get('/api/WebStoreCoupon/List')).at(0)].flat();
    for (let page = 0, more = true; more; page += 1) {
      const { giftCards } = (await get(`/api/GiftCard/List?pageSize=50&pageNumber=${page}`)) as { giftCards: unknown[] };
      records.push(...giftCards);
      more = giftCards.length === 50;
    }
    for (const record of records) {
      const { id, status } = record as { id?: unknown; status?: unknown };
      if (status !== 'Voided') found.set(String(id), JSON.stringify(leaves(record)));
    }
  }
  return found;
}

export const newRecords = (now: Records, before: Records): string[] =>
  [...now].flatMap(([id, text]) => (before.has(id) ? [] : [text]));

/** Records that existed before the run and changed between `then` and `now`. */
export const changedRecords = (then: Records, now: Records, before: Records): string[] =>
  [...then].flatMap(([id, text]) => (before.has(id) && now.get(id) !== text ? [`${text} was changed`] : []));
