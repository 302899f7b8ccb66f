import { booked, brink, spentCard } from '../arrange/adjustments.ts';
import { type Card, getByCode, purse, voidedCards } from '../arrange/cards.ts';
import { issued, updatedAfterIssue } from '../arrange/issued.ts';
import { atLeast, findListed, isListed, type ListQuery, list, page, place } from '../arrange/lists.ts';
import { clause } from '../clause.ts';
import { giftCard, holds, refused, same } from '../expect.ts';
import { at, instantOf, leaves } from '../structure.ts';
import { Blocked, Untested, Violation } from '../verdict.ts';

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

clause('list.wraps-cards-and-total', {}, async (t) => {
  const on = await purse(t);
  const { cards, totalCount } = await page(t, { pageSize: 50 });
  holds(place(cards, on) >= 0, `${on.name} among giftCards`, `${cards.length} other cards`);
  holds(totalCount >= cards.length, 'a totalCount of at least the cards on the page', String(totalCount));
});

clause('list.page-size-limits', {}, async (t) => {
  await atLeast(t, 4);
  for (const pageSize of [1, 3]) {
    const { cards } = await page(t, { pageSize });
    holds(cards.length === pageSize, `${pageSize} of more cards on a page of pageSize ${pageSize}`, `${cards.length} cards`);
  }
});

clause('list.page-size-default', {}, async (t) => {
  const there = await atLeast(t, 11);
  const { cards } = await page(t, {});
  holds(cards.length === 10, `10 of ${there} cards on a page without pageSize`, `${cards.length} cards`);
});

clause('list.page-size-maximum', { needs: ['noRateLimit'] }, async (t) => {
  t.notJudged = 'what a pageSize above 50 answers: a refusal or a cut (open)';
  const there = await atLeast(t, 52);
  const { cards } = await page(t, { pageSize: 50 });
  holds(cards.length === 50, `50 of ${there} cards on a page of pageSize 50`, `${cards.length} cards`);
  for (const pageSize of [51, 1000]) {
    const answer = await list(t, { pageSize });
    const shown = (answer.json as { giftCards?: unknown } | undefined)?.giftCards;
    const cut = answer.status === 200 && Array.isArray(shown) && shown.length <= 50;
    if (!cut) refused(answer, `more than 50 cards with pageSize ${pageSize} cut short or`);
  }
});

clause('list.page-number-from-zero', {}, async (t) => {
  await atLeast(t, 4);
  const on = await purse(t);
  const path = pathOf(await findListed(t, on), on);
  const names = async (query: ListQuery) => (await page(t, query)).cards.map((each) => at(each, path));
  // Other cards of the account may be updated meanwhile.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const whole = await names({ pageSize: 4 });
    const halves = [...(await names({ pageSize: 2, pageNumber: 0 })), ...(await names({ pageSize: 2, pageNumber: 1 }))];
    if (JSON.stringify(await names({ pageSize: 4 })) !== JSON.stringify(whole)) continue;
    same(halves, whole, 'cards on pages 0 and 1 of two each');
    return;
  }
  throw new Untested('control-failed', 'the first four cards of the list were others each time');
});

/** Where a record of the list tells which card it is. */
function pathOf(record: unknown, { code, id }: Card): string {
  const path = leaves(record).find(({ value }) => value === code || value === id)?.path;
  if (path === undefined) throw new Blocked('a card is not in the list by its code or its id');
  return path;
}

clause('list.last-updated-first', {}, async (t) => {
  const [first, second] = [await purse(t), await brink(t, 1)];
  const order = async (updated: Card, other: Card) => {
    await booked(t, updated, 0.1);
    const { cards } = await page(t, { pageSize: 50 });
    return place(cards, updated) >= 0 && place(cards, updated) < place(cards, other);
  };
  // Updates within one tick of the target's clock may stand in any order, and what is done in the background may be an update,
  // so that a miss is tried again with time between.
  const inTheEnd = async (updated: Card, other: Card) => {
    for (const ms of [1_100, 2_200]) {
      if (await order(updated, other)) return true;
      await pause(ms);
    }
    return order(updated, other);
  };
  for (const [updated, other] of [
    [first, second],
    [second, first],
  ] as const)
    holds(await inTheEnd(updated, other), `${updated.name}, updated last, before ${other.name}`, `${other.name} first`);
});

clause('list.includes-voided', {}, async (t) => {
  const [on] = await voidedCards(t);
  holds(await isListed(t, on), 'a voided card in the list', 'a list without it');
});

clause('list.includes-redeemed', {}, async (t) => {
  const on = await spentCard(t);
  holds(await isListed(t, on), 'a fully redeemed card in the list', 'a list without it');
});

clause('list.includes-expired', { needs: ['expiredCode'] }, async (t, { expiredCode }) => {
  const { status } = giftCard(await getByCode(t, expiredCode), 'the expired card');
  if (status !== 'Expired') throw new Untested('fixture-missing', `the card of expiredCode is ${status}, not Expired`);
  holds(await isListed(t, { code: expiredCode }), 'an expired card in the list', 'a list without it');
});

clause('list.hides-deleted-cards', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await purse(t);
  await t.control('a card that is not deleted is listed', async () =>
    holds(await isListed(t, on), 'the card', 'a list without it'),
  );
  holds(!(await isListed(t, { code })), 'no deleted card in the list', 'it stands there');
  holds(!(await isListed(t, { code }, { includeAll: false })), 'no deleted card with includeAll=false', 'it stands there');
});

clause('list.include-all-adds-deleted', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await purse(t);
  holds(await isListed(t, { code }, { includeAll: true }), 'a deleted card with includeAll=true', 'a list without it');
  holds(await isListed(t, on, { includeAll: true }), 'the other cards with includeAll=true', 'a list without them');
});

const earlier = (time: string, ms: number) => new Date((instantOf(time) ?? 0) - ms).toISOString();

clause('list.since-is-strictly-after', {}, async (t) => {
  const { on, time } = await issued(t);
  await t.control('with since shortly before, the card is listed', async () =>
    holds(await isListed(t, on, { since: earlier(time, 2_000) }), 'it', 'a list without it'),
  );
  if (!(await isListed(t, on, { since: time }))) return;
  if (t.run.profile.timesShownExactly) throw new Violation('no card that was issued at the moment of since', `${on.name} listed`);
  throw new Untested(
    'needs-control',
    'the target may have cut the shown time short; timesShownExactly in the profile settles it',
  );
});

clause('list.since-goes-by-issue', {}, async (t) => {
  const { old, young } = await updatedAfterIssue(t);
  await t.control('with since before both, the older card is listed', async () =>
    holds(await isListed(t, old.on, { since: earlier(old.time, 2_000) }), 'it', 'a list without it'),
  );
  const stands = await isListed(t, old.on, { since: young.time });
  holds(!stands, 'no card that was issued before since and updated after it', `${old.on.name} listed`);
});
