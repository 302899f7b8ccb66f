import { setTimeout as pause } from 'node:timers/promises';
import { fullPage } from '../core/card-list.ts';
import { clause } from '../core/clause.ts';
import { accepted, giftCard, holds, refused, same, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import { at, instantOf, leaves } from '../http/structure.ts';
import { cardWithBalance, mustAdjust, redeemedCard } from '../scenarios/adjustments.ts';
import { issuedCard, updatedAfterIssue } from '../scenarios/card-dates.ts';
import { type Card, card, getByCode, voidByCode } from '../scenarios/cards.ts';
import { atLeast, findListed, indexOfCard, isListed, type ListQuery, list, page } from '../scenarios/lists.ts';
import { mutableCard, voidedCards } from '../scenarios/shared-cards.ts';

/** Before any card was issued. */
const longAgo = '2000-01-01T00:00:00Z';
/** After every card that a run issues, wherever it moves the clock. */
const farAhead = '2099-01-01T00:00:00Z';

clause('list.wraps-cards-and-total', {}, async (t) => {
  const on = await mutableCard(t);
  const { cards, totalCount } = await page(t, { pageSize: fullPage }, accepted);
  holds(indexOfCard(cards, on) >= 0, `${on.name} among giftCards`, `${cards.length} other cards`);
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
  const behind = { what: 'cards on page 1 without pageSize', from: 10, to: 20, pages: [{ pageNumber: 1 }] };
  await partsOf(t, { pageSize: 20 }, [behind]);
});

clause('list.page-size-maximum', { needs: ['noRateLimit'] }, async (t) => {
  t.doesNotCheck('what a pageSize above 50 answers: a refusal or a cut (open)');
  const there = await atLeast(t, 52);
  const { cards } = await page(t, { pageSize: 50 });
  holds(cards.length === 50, `50 of ${there} cards on a page of pageSize 50`, `${cards.length} cards`);
  const { length: fewer } = (await page(t, { pageSize: 40 })).cards;
  holds(fewer === 40, `40 of ${there} cards on a page of pageSize 40`, `${fewer} cards`);
  for (const pageSize of [51, 1000]) {
    const answer = await list(t, { pageSize });
    const shown = (answer.json as { giftCards?: unknown } | undefined)?.giftCards;
    const cut = answer.status === 200 && Array.isArray(shown) && shown.length <= 50;
    if (!cut) refused(answer, `more than 50 cards with pageSize ${pageSize} cut short or`);
  }
  for (const besides of [{ includeAll: true }, { since: longAgo }]) {
    const { length } = (await page(t, { pageSize: 50, ...besides })).cards;
    holds(length === 50, `50 cards on a page of pageSize 50 with ${Object.keys(besides)[0]}`, `${length} cards`);
  }
  const behind = { what: 'cards behind the first fifty', from: 0, to: 25, pages: [{ pageSize: 25, pageNumber: 2 }] };
  await partsOf(t, { pageSize: 50, pageNumber: 1 }, [behind]);
});

clause('list.page-number-from-zero', {}, async (t) => {
  await atLeast(t, 4);
  const pages = (pageSize: number, ...numbers: number[]) => numbers.map((pageNumber) => ({ pageSize, pageNumber }));
  await partsOf(t, { pageSize: 4 }, [
    { what: 'cards on pages 0 and 1 of two each', from: 0, to: 4, pages: pages(2, 0, 1) },
    { what: 'cards on pages 2 and 3 of one each', from: 2, to: 4, pages: pages(1, 2, 3) },
    { what: 'cards on page 1 of two each, with since', from: 2, to: 4, pages: [{ pageSize: 2, pageNumber: 1, since: longAgo }] },
  ]);
});

interface Part {
  readonly what: string;
  /** Where of the whole page it begins, and where it ends. */
  readonly from: number;
  readonly to: number;
  readonly pages: readonly ListQuery[];
}

/** Holds the cards of smaller pages against those of a larger one. Untested `control-failed` where other cards of the account are updated each time. */
async function partsOf(t: Trial, whole: ListQuery, parts: readonly Part[]): Promise<void> {
  const on = await mutableCard(t);
  const path = pathOf(await findListed(t, on), on);
  const names = async (query: ListQuery) => (await page(t, query)).cards.map((each) => at(each, path));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const all = await names(whole);
    const found: unknown[][] = [];
    for (const { pages } of parts) {
      const inPart: unknown[] = [];
      for (const query of pages) inPart.push(...(await names(query)));
      found.push(inPart);
    }
    if (JSON.stringify(await names(whole)) !== JSON.stringify(all)) continue;
    for (const [index, { what, from, to }] of parts.entries()) same(found[index], all.slice(from, to), what);
    return;
  }
  throw new Untested('control-failed', 'the cards of a page of the list were others each time');
}

/** Where a record of the list tells which card it is. */
function pathOf(record: unknown, { code, id }: Card): string {
  const path = leaves(record).find(({ value }) => value === code || value === id)?.path;
  if (path === undefined) throw new Blocked('a card is not in the list by its code or its id');
  return path;
}

clause('list.last-updated-first', {}, async (t) => {
  const [first, second] = [await mutableCard(t), await cardWithBalance(t, 1)];
  const isBefore = async (updated: Card, other: Card, query: ListQuery = {}) => {
    const { cards } = await page(t, { pageSize: fullPage, ...query });
    const [at, behind] = [indexOfCard(cards, updated), indexOfCard(cards, other)];
    // Where there are many cards, the other may stand on a later page.
    return at >= 0 && (behind < 0 || at < behind);
  };
  // Updates within one tick of the target's clock may stand in any order, and what is done in the background may be an update,
  // so that a miss is tried again with time between.
  const inTheEnd = async (what: string, isSo: (ms: number) => Promise<boolean>) => {
    for (const ms of [0, 1_100, 2_200]) {
      await pause(ms);
      if (await isSo(ms)) return;
    }
    throw new Violation(`${what} before the card that was updated before`, 'it behind that');
  };
  for (const [updated, other, amount, query] of [
    [first, second, 0.1, {}],
    [second, first, -0.1, {}],
    [first, second, -0.1, { since: longAgo }],
    [second, first, 0.1, { since: longAgo }],
    [first, second, 0.1, { includeAll: true }],
    [second, first, 0.1, { includeAll: true }],
  ] as const)
    await inTheEnd(`${updated.name}, adjusted by ${amount},`, async () => {
      await mustAdjust(t, updated, amount);
      return isBefore(updated, other, query);
    });
  // The same of a card that is created, and that is voided after another was updated.
  let latest = second;
  await inTheEnd('a card that was created, and then voided,', async (ms) => {
    const on = await card(t, { balance: 0.5 });
    const isFirst = await isBefore(on, latest);
    latest = on;
    await mustAdjust(t, first, 0.1);
    await pause(ms);
    arranged(await voidByCode(t, on.code), `voiding ${on.name}`);
    return isFirst && (await isBefore(on, first));
  });
});

clause('list.includes-voided', {}, async (t) => {
  const [on] = await voidedCards(t);
  for (const query of [{}, { since: longAgo }])
    holds(await isListed(t, on, query), 'a voided card in the list', 'a list without it');
});

clause('list.includes-redeemed', {}, async (t) => {
  const on = await redeemedCard(t);
  holds(await isListed(t, on), 'a fully redeemed card in the list', 'a list without it');
});

clause('list.includes-expired', { needs: ['expiredCode'] }, async (t, { expiredCode }) => {
  const { status } = giftCard(await getByCode(t, expiredCode), 'the expired card');
  if (status !== 'Expired') throw new Untested('fixture-missing', `the card of expiredCode is ${status}, not Expired`);
  holds(await isListed(t, { code: expiredCode }), 'an expired card in the list', 'a list without it');
});

clause('list.hides-deleted-cards', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  await t.control('a card that is not deleted is listed', async () =>
    holds(await isListed(t, on), 'the card', 'a list without it'),
  );
  holds(!(await isListed(t, { code })), 'no deleted card in the list', 'it stands there');
  holds(!(await isListed(t, { code }, { includeAll: false })), 'no deleted card with includeAll=false', 'it stands there');
});

clause('list.include-all-adds-deleted', { needs: ['deletedCode'] }, async (t, { deletedCode: code }) => {
  const on = await mutableCard(t);
  for (const query of [{}, { since: longAgo }])
    holds(
      await isListed(t, { code }, { includeAll: true, ...query }),
      'a deleted card with includeAll=true',
      'a list without it',
    );
  holds(await isListed(t, on, { includeAll: true }), 'the other cards with includeAll=true', 'a list without them');
});

const earlier = (time: string, ms: number) => new Date((instantOf(time) ?? 0) - ms).toISOString();

clause('list.since-is-strictly-after', {}, async (t) => {
  const { on, time } = await issuedCard(t);
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
  // By the target's own clock, so that a `since` which is read in another time zone is found out.
  const created = Date.parse(young.on.answer.headers.date ?? '');
  if (!Number.isNaN(created)) {
    const since = new Date(created - 600_000).toISOString();
    holds(
      await isListed(t, young.on, { since }),
      `${young.on.name}, created ten minutes after since, in the list`,
      'a list without it',
    );
  }
  await t.control('with since before both, the older card is listed', async () =>
    holds(await isListed(t, old.on, { since: earlier(old.time, 2_000) }), 'it', 'a list without it'),
  );
  const stands = await isListed(t, old.on, { since: young.time });
  holds(!stands, 'no card that was issued before since and updated after it', `${old.on.name} listed`);
  for (const pageNumber of [0, 1]) {
    // A moment that is still to come may be refused, and so may a page behind the last.
    const ahead = await list(t, { since: farAhead, pageSize: 1, pageNumber });
    const { giftCards } = (ahead.json ?? {}) as { giftCards?: unknown };
    const none = ahead.status !== 200 || !Array.isArray(giftCards) || giftCards.length === 0;
    holds(none, `no card on page ${pageNumber} of those issued after ${farAhead}`, told(ahead));
  }
});
