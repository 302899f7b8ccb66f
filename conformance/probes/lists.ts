import { fullPage } from '../core/card-list.ts';
import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { holds } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { instantOf, leaves } from '../http/structure.ts';
import { booked } from '../scenarios/adjustments.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { type Card, card } from '../scenarios/cards.ts';
import { advance, atOneMoment } from '../scenarios/clock.ts';
import { expired } from '../scenarios/expiring.ts';
import { fixture } from '../scenarios/fixtures.ts';
import { atLeast, findListed, isListed, type ListQuery, list, page, place } from '../scenarios/lists.ts';
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

/** Refused each time, or each time as without the doubtful value. */
async function refusedOr<Ignored extends string>(
  t: Trial,
  ignored: Ignored,
  ...queries: ListQuery[]
): Promise<'refused' | Ignored | SomethingElse> {
  const { sound, doubtful } = await lengths(t, ...queries);
  if (doubtful.every((each) => each === '400')) return 'refused';
  if (doubtful.every((each) => each === sound)) return ignored;
  return somethingElse(doubtful.map((each) => (typeof each === 'number' ? `${each} cards` : `answers ${each}`)).join(', '));
}

/** More than fifty on a page is excluded by a statement, so that a page of fewer cards is a cut one where there are not so many. */
probe('list.page-size-above-maximum', {}, async (t) => {
  const { doubtful } = await lengths(t, { pageSize: fullPage + 1 });
  const [seen] = doubtful;
  if (seen === '400') return 'refused';
  return typeof seen === 'number' && seen > 0 && seen <= fullPage ? 'cut' : somethingElse(`answers ${seen}`);
});

probe('list.page-size-below-one', {}, (t) => refusedOr(t, 'default', { pageSize: 0 }, { pageSize: -1 }));

probe('list.page-size-unreadable', {}, (t) => refusedOr(t, 'default', { pageSize: 'many' }, { pageSize: '2.5' }));

probe('list.page-number-negative', {}, (t) => refusedOr(t, 'first-page', { pageNumber: -1 }));

probe('list.page-number-unreadable', {}, (t) => refusedOr(t, 'first-page', { pageNumber: 'first' }));

probe('list.since-unreadable', {}, (t) => refusedOr(t, 'ignored', { since: 'yesterday' }));

probe('list.page-past-end', {}, async (t) => {
  await t.control('the first page is answered', () => page(t, { pageSize: fullPage }));
  const { status, json } = await list(t, { pageSize: fullPage, pageNumber: 100_000 });
  const cards = (json as { giftCards?: unknown } | undefined)?.giftCards;
  if (status === 200 && Array.isArray(cards) && cards.length === 0) return 'empty';
  return status === 404 ? '404' : somethingElse(`answers ${status}`);
});

probe('list.include-all-unreadable', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  await t.control('the deleted card is listed with includeAll=true', async () =>
    holds(await isListed(t, { code }, { includeAll: true }), 'it', 'a list without it'),
  );
  const { status } = await list(t, { includeAll: 'perhaps' });
  if (status !== 200) return status === 400 ? 'refused' : somethingElse(`answers ${status}`);
  return (await isListed(t, { code }, { includeAll: 'perhaps' })) ? somethingElse('as true') : 'false';
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

probe('list.store-credit', { needs: ['storeCreditCode'] }, async (t, { storeCreditCode }) => {
  const on = await fixture(t, storeCreditCode);
  return (await isListed(t, on)) ? 'listed' : 'left-out';
});

probe('list.update-by-expiry', { needs: ['clock'] }, async (t, { clock }) => {
  const { settled, isBeforeYounger } = await expired(t, clock);
  if (settled.status !== 'Expired') throw new Untested('control-failed', `a day after its expiry a card is ${settled.status}`);
  return isBeforeYounger ? 'yes' : 'no';
});

/** Channels and emails have all the time that they need; nothing else happens to the card. */
probe('list.update-by-background-work', { needs: ['clock'] }, async (t, { clock }) => {
  const on = await card(t, { balance: 0.5 });
  const before = await shownTimes(t, on);
  await advance(t, clock, 3_600);
  const after = await shownTimes(t, on);
  if (after.join() !== before.join()) return 'yes';
  await booked(t, on, 0.11);
  await t.control('a change of the card moves a time that it shows', async () =>
    holds((await shownTimes(t, on)).join() !== after.join(), 'another time', after.join(', ')),
  );
  return 'no';
});

const shownTimes = async (t: Trial, on: Card) =>
  leaves((await getByCode(t, on.code)).json).flatMap(({ value }) => (instantOf(value) === undefined ? [] : [value]));

probe('list.update-ties', { needs: ['clock'] }, async (t, { clock }) => {
  const [first, second] = [await card(t, { balance: 0.5 }), await card(t, { balance: 0.5 })];
  const cards = await atOneMoment(t, clock, async () => {
    await booked(t, second, 0.11);
    await booked(t, first, 0.11);
    return (await page(t, { pageSize: fullPage })).cards;
  });
  return place(cards, first) < place(cards, second) ? 'later-change-first' : 'earlier-change-first';
});
