import { fullPage } from '../core/card-list.ts';
import { probe, somethingElse } from '../core/clause.ts';
import type { Trial } from '../core/trial.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { atLeast, findListed, type ListQuery, list, page } from '../scenarios/lists.ts';
import { plainCard, purse } from '../scenarios/shared-cards.ts';

/** What lists of doubtful queries hold, in cards, beside one that has nothing doubtful; a status where there is no list. */
async function lengths(t: Trial, ...queries: ListQuery[]): Promise<{ sound: number; doubtful: (number | string)[] }> {
  await atLeast(t, 2);
  const sound = await t.control('the list without it', async () => (await page(t, {})).cards.length);
  const doubtful: (number | string)[] = [];
  for (const query of queries) {
    const { status, json } = await list(t, query);
    const cards = (json as { giftCards?: unknown } | undefined)?.giftCards;
    doubtful.push(status === 200 && Array.isArray(cards) ? cards.length : `${status}`);
  }
  return { sound, doubtful };
}

/** More than fifty on a page is excluded by a statement, so that a page of fewer cards is a cut one where there are not so many. */
probe('list.page-size-above-maximum', {}, async (t) => {
  const { doubtful } = await lengths(t, { pageSize: fullPage + 1 });
  const [seen] = doubtful;
  if (seen === '400') return 'refused';
  return typeof seen === 'number' && seen > 0 && seen <= fullPage ? 'cut' : somethingElse(`answers ${seen}`);
});

probe('list.page-past-end', {}, async (t) => {
  await t.control('the first page is answered', () => page(t, { pageSize: fullPage }));
  const { status, json } = await list(t, { pageSize: fullPage, pageNumber: 100_000 });
  const cards = (json as { giftCards?: unknown } | undefined)?.giftCards;
  if (status === 200 && Array.isArray(cards) && cards.length === 0) return 'empty';
  return status === 404 ? '404' : somethingElse(`answers ${status}`);
});

probe('list.total-count', {}, async (t) => {
  const there = [await purse(t), await plainCard(t)];
  const all = await page(t, { pageSize: 1 });
  if (all.totalCount < there.length)
    return all.totalCount === all.cards.length ? 'on-this-page' : somethingElse(`${all.totalCount}`);
  const none = await page(t, { since: '2999-01-01T00:00:00Z' });
  if (none.totalCount === 0) return 'all-that-match';
  return none.totalCount >= all.totalCount ? 'all-of-the-account' : somethingElse(`${none.totalCount} where no card matches`);
});

const named = ['id', 'code', 'balance', 'currency', 'status', 'viewBalanceUrl', 'appleWalletUrl', 'googleWalletUrl'];

probe('list.elements', {}, async (t) => {
  const on = await plainCard(t);
  const whole = Object.keys((await getByCode(t, on.code)).json ?? {});
  const listed = Object.keys((await findListed(t, on)) ?? {});
  const without = whole.filter((name) => !listed.includes(name));
  if (without.length === 0) return 'whole';
  const isNamedOnly = listed.length === named.length && named.every((name) => listed.includes(name));
  return isNamedOnly ? 'excerpts' : somethingElse(`with ${listed.join(', ')}`);
});
