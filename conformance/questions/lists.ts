import { cardNames } from '../core/contract.ts';
import { probe, unlisted } from '../core/rule.ts';
import { fullPage } from '../safety/card-search.ts';
import { getByCode } from '../scenarios/cards.ts';
import { atLeast, cardsOf, findListed, page, sendList } from '../scenarios/lists.ts';
import { mutableCard, plainCard } from '../scenarios/shared-cards.ts';
import { statusOption } from './responses.ts';

// A page of up to fifty cards counts as cut, even if the account has no more cards. A longer page violates the rule list.page-size-maximum, which has its own test.
probe('list.page-size-above-maximum', {}, async (t) => {
  await atLeast(t, 2);
  await t.control('the list without pageSize', () => page(t, {}));
  const response = await sendList(t, { pageSize: fullPage + 1 });
  const length = cardsOf(response)?.length ?? 0;
  if (response.status === 400) return 'refused';
  return length > 0 && length <= fullPage ? 'cut' : unlisted(`returns ${response.status} with ${length} cards`);
});

probe('list.page-past-end', {}, async (t) => {
  await t.control('the first page', () => page(t, { pageSize: fullPage }));
  const response = await sendList(t, { pageSize: fullPage, pageNumber: 100_000 });
  return cardsOf(response)?.length === 0 ? 'empty' : statusOption(response, '404');
});

probe('list.total-count', {}, async (t) => {
  const own = [await mutableCard(t), await plainCard(t)];
  const all = await page(t, { pageSize: 1 });
  if (all.totalCount < own.length) return all.totalCount === all.cards.length ? 'on-this-page' : unlisted(`${all.totalCount}`);
  const none = await page(t, { since: '2999-01-01T00:00:00Z' });
  if (none.totalCount === 0) return 'all-that-match';
  return none.totalCount >= all.totalCount ? 'all-of-the-account' : unlisted(`${none.totalCount} if no card matches`);
});

probe('list.elements', {}, async (t) => {
  const on = await plainCard(t);
  const whole = Object.keys((await getByCode(t, on.code)).json ?? {});
  const listed = Object.keys((await findListed(t, on)) ?? {});
  if (whole.every((name) => listed.includes(name))) return 'whole';
  const isExcerpt = listed.length === cardNames.length && cardNames.every((name) => listed.includes(name));
  return isExcerpt ? 'excerpts' : unlisted(`with ${listed.toSorted().join(', ')}`);
});
