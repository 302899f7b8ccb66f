import { setTimeout as pause } from 'node:timers/promises';
import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { describeAnswer, expectRejection, expectSame, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import { at, instantOf, leaves } from '../http/json-search.ts';
import { cardWithBalance, mustAdjust, redeemedCard } from '../scenarios/adjustments.ts';
import { issuedCard, updatedAfterIssue } from '../scenarios/card-dates.ts';
import { type Card, card, getByCode, voidByCode } from '../scenarios/cards.ts';
import { atLeast, cardsOf, findListed, indexOfCard, isListed, type ListQuery, list, page } from '../scenarios/lists.ts';
import { mutableCard, voidedCards } from '../scenarios/shared-cards.ts';

/** Before and after all cards that a run issues. */
const [longAgo, farAhead] = ['2000-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];

clause('list.wraps-cards-and-total', {}, async (t) => {
  const on = await mutableCard(t);
  const { cards, totalCount } = await page(t, { pageSize: fullPage }, expectSuccess);
  expectThat(indexOfCard(cards, on) >= 0, `${on.name} among giftCards`, `${cards.length} other cards`);
  expectThat(totalCount >= cards.length, 'a totalCount of at least the cards on the page', String(totalCount));
});

/** The page has exactly this many cards. */
async function pageHas(t: Trial, count: number, query: ListQuery, what: string): Promise<void> {
  const { cards } = await page(t, query);
  expectThat(cards.length === count, `${count} cards on a page ${what}`, `${cards.length} cards`);
}

clause('list.page-size-limits', {}, async (t) => {
  await atLeast(t, 4);
  for (const pageSize of [1, 3]) await pageHas(t, pageSize, { pageSize }, `with pageSize ${pageSize}`);
});

clause('list.page-size-default', {}, async (t) => {
  await atLeast(t, 11);
  await pageHas(t, 10, {}, 'without pageSize');
  await samePages(t, { pageSize: 20 }, [
    { what: 'cards on page 1 without pageSize', from: 10, to: 20, pages: [{ pageNumber: 1 }] },
  ]);
});

clause('list.page-size-maximum', { needs: ['noRateLimit'] }, async (t) => {
  t.doesNotCheck('whether the target rejects a pageSize above 50 or cuts the page (open)');
  await atLeast(t, 52);
  for (const pageSize of [50, 40]) await pageHas(t, pageSize, { pageSize }, `with pageSize ${pageSize}`);
  for (const pageSize of [51, 1000]) {
    const answer = await list(t, { pageSize });
    const cards = cardsOf(answer);
    if (!cards || cards.length > 50) expectRejection(answer, `pageSize ${pageSize} cut to 50 or`);
  }
  await pageHas(t, 50, { pageSize: 50, includeAll: true }, 'with pageSize 50 and includeAll');
  await pageHas(t, 50, { pageSize: 50, since: longAgo }, 'with pageSize 50 and since');
  await samePages(t, { pageSize: 50, pageNumber: 1 }, [
    { what: 'cards after the first fifty', from: 0, to: 25, pages: [{ pageSize: 25, pageNumber: 2 }] },
  ]);
});

clause('list.page-number-from-zero', {}, async (t) => {
  await atLeast(t, 4);
  const pages = (pageSize: number, ...numbers: number[]) => numbers.map((pageNumber) => ({ pageSize, pageNumber }));
  await samePages(t, { pageSize: 4 }, [
    { what: 'cards on pages 0 and 1 of two each', from: 0, to: 4, pages: pages(2, 0, 1) },
    { what: 'cards on pages 2 and 3 of one each', from: 2, to: 4, pages: pages(1, 2, 3) },
    { what: 'cards on page 1 of two each, with since', from: 2, to: 4, pages: [{ pageSize: 2, pageNumber: 1, since: longAgo }] },
  ]);
});

/** Pages that together show a range of the cards on a larger page. */
interface Part {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly pages: readonly ListQuery[];
}

/** Compares small pages with a large one. Untested `control-failed` if the large one changes each time. */
async function samePages(t: Trial, large: ListQuery, parts: readonly Part[]): Promise<void> {
  const on = await mutableCard(t);
  const path = leaves(await findListed(t, on)).find(({ value }) => value === on.code || value === on.id)?.path;
  if (path === undefined) throw new Blocked('the list shows neither code nor ID of a card');
  const names = async (query: ListQuery) => (await page(t, query)).cards.map((each) => at(each, path));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const all = await names(large);
    const found: unknown[][] = [];
    for (const { pages } of parts) {
      const inPart: unknown[] = [];
      for (const query of pages) inPart.push(...(await names(query)));
      found.push(inPart);
    }
    if (JSON.stringify(await names(large)) !== JSON.stringify(all)) continue;
    for (const [index, { what, from, to }] of parts.entries()) expectSame(found[index], all.slice(from, to), what);
    return;
  }
  throw new Untested('control-failed', 'the cards on a page of the list changed each time');
}

/** Whether the updated card comes before the other, which may be on a later page. */
async function isBefore(t: Trial, updated: Card, other: Card, query: ListQuery = {}): Promise<boolean> {
  const { cards } = await page(t, { pageSize: fullPage, ...query });
  const [index, otherIndex] = [indexOfCard(cards, updated), indexOfCard(cards, other)];
  return index >= 0 && (otherIndex < 0 || index < otherIndex);
}

/** Repeats an update with more time, because updates in one tick of the target's clock have no order, and work in the background may be an update. */
async function eventually(what: string, update: (ms: number) => Promise<boolean>): Promise<void> {
  for (const ms of [0, 1_100, 2_200]) {
    await pause(ms);
    if (await update(ms)) return;
  }
  throw new Violation(`${what} before a card that was updated earlier`, 'it after that card');
}

clause('list.last-updated-first', {}, async (t) => {
  const [first, second] = [await mutableCard(t), await cardWithBalance(t, 1)];
  for (const [updated, other, amount, query] of [
    [first, second, 0.1, {}],
    [second, first, -0.1, {}],
    [first, second, -0.1, { since: longAgo }],
    [second, first, 0.1, { since: longAgo }],
    [first, second, 0.1, { includeAll: true }],
    [second, first, 0.1, { includeAll: true }],
  ] as const)
    await eventually(`${updated.name}, adjusted by ${amount},`, async () => {
      await mustAdjust(t, updated, amount);
      return isBefore(t, updated, other, query);
    });
  let latest = second;
  await eventually('a card that was created, and then voided,', async (ms) => {
    const on = await card(t, { balance: 0.5 });
    const isFirst = await isBefore(t, on, latest);
    latest = on;
    await mustAdjust(t, first, 0.1);
    await pause(ms);
    mustSucceed(await voidByCode(t, on.code), `voiding ${on.name}`);
    return isFirst && (await isBefore(t, on, first));
  });
});

async function includes(
  t: Trial,
  what: string,
  on: { code: string; id?: string | number },
  query: ListQuery = {},
): Promise<void> {
  expectThat(await isListed(t, on, query), `${what} in the list`, 'a list without it');
}

clause('list.includes-voided', {}, async (t) => {
  const [on] = await voidedCards(t);
  for (const query of [{}, { since: longAgo }]) await includes(t, 'a voided card', on, query);
});

clause('list.includes-redeemed', {}, async (t) => includes(t, 'a fully redeemed card', await redeemedCard(t)));

clause('list.includes-expired', { needs: ['expiredCode'] }, async (t, { expiredCode }) => {
  const { status } = objectIn(await getByCode(t, expiredCode), 'the expired card');
  if (status !== 'Expired') throw new Untested('fixture-missing', `the card of expiredCode is ${String(status)}, not Expired`);
  await includes(t, 'an expired card', { code: expiredCode });
});

clause('list.hides-deleted-cards', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  await t.control('a card that is not deleted is in the list', () => includes(t, 'it', on));
  expectThat(!(await isListed(t, { code })), 'no deleted card in the list', 'it in the list');
  expectThat(!(await isListed(t, { code }, { includeAll: false })), 'no deleted card with includeAll=false', 'it in the list');
});

clause('list.include-all-adds-deleted', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  for (const query of [{}, { since: longAgo }])
    await includes(t, 'with includeAll=true, a deleted card', { code }, { includeAll: true, ...query });
  await includes(t, 'with includeAll=true, the other cards', on, { includeAll: true });
});

const earlier = (time: string, ms: number) => new Date((instantOf(time) ?? 0) - ms).toISOString();

clause('list.since-is-strictly-after', {}, async (t) => {
  const { on, time } = await issuedCard(t);
  await t.control('with since shortly before its issue, the card is in the list', () =>
    includes(t, 'it', on, { since: earlier(time, 2_000) }),
  );
  if (!(await isListed(t, on, { since: time }))) return;
  if (t.run.profile.timesShownExactly) throw new Violation('no card that was issued exactly at since', `${on.name} in the list`);
  throw new Untested(
    'needs-control',
    'the target may have cut the shown time; set timesShownExactly in the profile if it does not',
  );
});

clause('list.since-goes-by-issue', {}, async (t) => {
  const { old, young } = await updatedAfterIssue(t);
  // By the target's own clock, to find out whether it reads since in another time zone.
  const created = Date.parse(young.on.answer.headers.date ?? '');
  if (!Number.isNaN(created))
    await includes(t, `${young.on.name}, created ten minutes after since,`, young.on, {
      since: new Date(created - 600_000).toISOString(),
    });
  await t.control('with since before both, the older card is in the list', () =>
    includes(t, 'it', old.on, { since: earlier(old.time, 2_000) }),
  );
  const isOldListed = await isListed(t, old.on, { since: young.time });
  expectThat(!isOldListed, 'no card that was issued before since and updated after it', `${old.on.name} in the list`);
  for (const pageNumber of [0, 1]) {
    // The target may reject a time in the future, or a page after the last one.
    const answer = await list(t, { since: farAhead, pageSize: 1, pageNumber });
    const isEmpty = (cardsOf(answer)?.length ?? 0) === 0;
    expectThat(isEmpty, `no card issued after ${farAhead} on page ${pageNumber}`, describeAnswer(answer));
  }
});
