import { arrays, leaves } from '../../conformance/http/json-search.ts';
import type { Mock } from '../../mock/index.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** Everything on the accounts of a mock that a run could have made or changed, as text by its id; voided cards are worth nothing and count as gone. */
export type Belongings = ReadonlyMap<string, string>;

export async function belongings(mock: Mock): Promise<Belongings> {
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

/** What a run has made. */
export const ours = (now: Belongings, before: Belongings): string[] =>
  [...now].flatMap(([id, text]) => (before.has(id) ? [] : [text]));

/** What was there before the run and is not as it was. */
export const changed = (then: Belongings, now: Belongings, before: Belongings): string[] =>
  [...then].flatMap(([id, text]) => (before.has(id) && now.get(id) !== text ? [`${text} was changed`] : []));
