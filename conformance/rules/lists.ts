import { setTimeout as pause } from 'node:timers/promises';
import { expectRejection, expectResponse, expectSame, expectThat } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { at, instantOf, leaves } from '../http/json-search.ts';
import { fullPage } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import { adjustFunctions, cardWithBalance, mustAdjust } from '../scenarios/adjustments.ts';
import { issuedCard, updatedAfterIssue } from '../scenarios/card-dates.ts';
import { createCard, holdsCard, type TestCard, voidByCode } from '../scenarios/cards.ts';
import { atLeast, cardsOf, findListed, isListed, type ListQuery, page, pageIn, sendList } from '../scenarios/lists.ts';
import { acceptedVoidings, fixture, mutableCard } from '../scenarios/shared-cards.ts';

const longAgo = '2000-01-01T00:00:00Z';

rule('list.wraps-cards-and-total', {}, async (t) => {
  const on = await mutableCard(t);
  const { cards, totalCount } = pageIn(await sendList(t, { pageSize: fullPage }));
  // The first page need not have the card, because list.last-updated-first states the order.
  await includes(t, on.name, on);
  expectThat(totalCount >= cards.length, 'a totalCount that is at least the number of cards on the page', String(totalCount));
});

async function pageHas(t: Trial, count: number, query: ListQuery): Promise<void> {
  const { cards } = await page(t, query);
  expectSame(cards.length, count, `number of cards on a page ${JSON.stringify(query)}`);
}

rule('list.page-size-limits', {}, async (t) => {
  await atLeast(t, 4);
  for (const pageSize of [1, 3]) await pageHas(t, pageSize, { pageSize });
});

rule('list.page-size-default', {}, async (t) => {
  await atLeast(t, 11);
  await pageHas(t, 10, {});
  await samePages(t, [{}, { pageNumber: 1 }], { pageSize: 20 });
});

rule('list.page-size-maximum', { needsOneOf: ['noRateLimit', 'clock'] }, async (t) => {
  t.doesNotCheck('whether the target rejects a pageSize above 50 or cuts the page (open)');
  await atLeast(t, 52);
  for (const pageSize of [50, 40]) await pageHas(t, pageSize, { pageSize });
  for (const pageSize of [51, 1000]) {
    const response = await sendList(t, { pageSize });
    const cards = cardsOf(response);
    if (!cards || cards.length > 50) expectRejection(response, `pageSize ${pageSize} cut to 50 or`);
  }
  const secondFifty = [2, 3].map((pageNumber) => ({ pageSize: 25, pageNumber }));
  await samePages(t, secondFifty, { pageSize: 50, pageNumber: 1 });
});

rule('list.page-number-from-zero', {}, async (t) => {
  await atLeast(t, 4);
  const small = [
    { pageSize: 2, pageNumber: 0 },
    { pageSize: 1, pageNumber: 2 },
    { pageSize: 1, pageNumber: 3 },
  ];
  await samePages(t, small, { pageSize: 4 });
});

/** Checks that small pages show the same cards as a large page. Throws Untested `control-failed` if the large page changes each time. */
async function samePages(t: Trial, small: readonly ListQuery[], large: ListQuery): Promise<void> {
  const on = await mutableCard(t);
  const path = leaves(await findListed(t, on)).find(({ value }) => value === on.code || value === on.id)?.path;
  if (path === undefined) throw new Blocked('the list shows neither code nor ID of a card');
  const namesIn = (response: TargetResponse) => {
    expectResponse(response, 'the list');
    return pageIn(response).cards.map((each) => at(each, path));
  };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const wanted = namesIn(await sendList(t, large));
    const pages: [ListQuery, TargetResponse][] = [];
    for (const query of small) pages.push([query, await sendList(t, query)]);
    if (JSON.stringify(namesIn(await sendList(t, large))) !== JSON.stringify(wanted)) continue;
    // The positions show the order without the codes of other clients' cards.
    const positions = (all: readonly unknown[]) => all.map((each) => wanted.indexOf(each) + 1 || 'another card');
    let start = 0;
    for (const [query, response] of pages) {
      const end = start + Number(query.pageSize ?? 10);
      const wantedHere = positions(wanted.slice(start, end));
      expectSame(positions(namesIn(response)), wantedHere, `positions of the cards on the page ${JSON.stringify(query)}`);
      start = end;
    }
    return;
  }
  throw new Untested('control-failed', 'in three attempts, the cards on a page of the list changed during the check');
}

async function isBefore(t: Trial, updated: TestCard, other: TestCard, query: ListQuery = {}): Promise<boolean> {
  const { cards } = await page(t, { pageSize: fullPage, ...query });
  const first = cards.find((each) => holdsCard(each, updated) || holdsCard(each, other));
  return holdsCard(first, updated);
}

/** Repeats an update, each time after a longer pause, until the updated card is before the other card. The pauses are needed because two updates in one tick of the target's clock have no order. */
async function comesFirst(
  t: Trial,
  update: (ms: number) => Promise<TestCard>,
  other: TestCard,
  query: ListQuery = {},
): Promise<void> {
  let updated = other;
  for (const ms of [0, 1_100, 2_200]) {
    await pause(ms);
    updated = await update(ms);
    if (await isBefore(t, updated, other, query)) return;
  }
  if (!(await isListed(t, updated))) throw new Blocked(`${updated.name} is not in the list`);
  throw new Violation(`${updated.name} before ${other.name}, which was updated earlier`, 'the opposite order');
}

rule('list.last-updated-first', {}, async (t) => {
  const first = await mutableCard(t);
  await pause(20); // Two cards of the same millisecond have no order of creation.
  const second = await cardWithBalance(t, 1);
  for (const adjust of await adjustFunctions(t)) {
    const update = (on: TestCard, amount: number) => async () => {
      mustSucceed(await adjust(t, on, amount), `adjusting ${on.name}`);
      return on;
    };
    await comesFirst(t, update(first, 0.1), second);
    await comesFirst(t, update(second, -0.1), first, { since: longAgo });
  }
  await comesFirst(t, () => createCard(t), second);
  const createAndVoid = async (ms: number) => {
    const on = await createCard(t);
    // Without this pause, the adjustment and the creation could happen in the same millisecond.
    await pause(20);
    await mustAdjust(t, first, 0.1);
    await pause(ms);
    mustSucceed(await voidByCode(t, on.code), `voiding ${on.name}`);
    return on;
  };
  await comesFirst(t, createAndVoid, first);
});

async function includes(t: Trial, what: string, on: { code: string }, query: ListQuery = {}): Promise<void> {
  expectThat(await isListed(t, on, query), `${what} in the list`, 'a list without the card');
}

rule('list.includes-voided', { isLast: true }, async (t) => {
  const [{ on }] = await acceptedVoidings(t);
  for (const query of [{}, { since: longAgo }]) await includes(t, 'a voided card', on, query);
});

rule('list.includes-redeemed', {}, async (t) => includes(t, 'a fully redeemed card', await cardWithBalance(t, 0)));

rule('list.includes-expired', { needs: ['expiredCode'] }, async (t, { expiredCode }) =>
  includes(t, 'an expired card', await fixture(t, expiredCode, 'Expired')),
);

rule('list.hides-deleted-cards', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  await t.control('a card that is not deleted is in the list', () => includes(t, 'the card', on));
  for (const query of [{}, { includeAll: false }])
    expectThat(!(await isListed(t, { code }, query)), `no deleted card in the list ${JSON.stringify(query)}`, 'the card');
});

rule('list.include-all-adds-deleted', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  for (const query of [{}, { since: longAgo }])
    await includes(t, 'with includeAll=true, a deleted card', { code }, { includeAll: true, ...query });
  await includes(t, 'with includeAll=true, the other cards', on, { includeAll: true });
});

const earlier = (time: string, ms: number) => new Date((instantOf(time) ?? 0) - ms).toISOString();

rule('list.since-is-strictly-after', {}, async (t) => {
  const { on, time } = await issuedCard(t);
  await t.control('if the parameter since is 2 s before the issue of the card, the card is in the list', () =>
    includes(t, 'the card', on, { since: earlier(time, 2_000) }),
  );
  if (!(await isListed(t, on, { since: time }))) return;
  const isLate = await isListed(t, on, { since: earlier(time, -900_000) });
  const got = `${on.name}, issued at ${time}, in the list`;
  expectThat(!isLate, 'no card that was issued 15 minutes before the parameter since', got);
  const detail = 'the target may show rounded times; if it shows exact times, set timesShownExactly in the profile';
  if (!t.run.profile.timesShownExactly) throw new Untested('needs-hook', detail);
  throw new Violation('no card whose time of issue equals the parameter since', got);
});

rule('list.since-goes-by-issue', {}, async (t) => {
  const { old, young } = await updatedAfterIssue(t);
  // The Date header shows the time of creation on the target's clock. If the target reads the parameter `since` in another time zone, the target does not find a card that was created ten minutes after `since`.
  const created = Date.parse(young.on.response.headers.date ?? '');
  if (!Number.isNaN(created))
    await includes(t, `${young.on.name}, created ten minutes after the parameter since,`, young.on, {
      since: new Date(created - 600_000).toISOString(),
    });
  await t.control('if the parameter since is before the issue of both cards, the older card is in the list', () =>
    includes(t, 'the card', old.on, { since: earlier(old.time, 2_000) }),
  );
  const isOldListed = await isListed(t, old.on, { since: young.time });
  expectThat(
    !isOldListed,
    'no card that was issued before the parameter since and updated later',
    `${old.on.name}, issued at ${old.time}, in the list`,
  );
  const since = earlier(young.time, 1_000);
  if (await isListed(t, young.on, { since })) await pageHas(t, 1, { since, pageSize: 1 });
});
