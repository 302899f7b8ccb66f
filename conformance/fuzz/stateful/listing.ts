import { setTimeout as pause } from 'node:timers/promises';
import { pageByPage } from '../../core/card-list.ts';
import { holds } from '../../core/expect.ts';
import { instantOf, mentions } from '../../http/structure.ts';
import { type ListQuery, page } from '../../scenarios/lists.ts';
import { adjust } from './adjusting.ts';
import type { ModelCard } from './model.ts';
import { Contradiction, states, type Walker } from './walker.ts';

type Place = (card: ModelCard) => number;

/**
 * Where the cards of the story stand in the list, -1 for those that do not; undefined where it goes on for too long to tell. They were all updated
 * lately, so that they stand at the front.
 */
async function places(walker: Walker, query: ListQuery = {}): Promise<Place | undefined> {
  const all: unknown[] = [];
  let total = 0;
  const place: Place = (card) => all.findIndex((each) => mentions(each, card.code) || mentions(each, card.id));
  const { isEnough } = await pageByPage(
    async (paging) => {
      const { cards, totalCount } = await pageOf(walker, { ...paging, ...query });
      all.push(...cards);
      total = totalCount;
      return cards;
    },
    () => total <= all.length || walker.model.cards.every((card) => place(card) >= 0),
  );
  return isEnough ? place : undefined;
}

async function pageOf(walker: Walker, query: ListQuery) {
  try {
    return await page(walker.t, query);
  } catch (error) {
    return states('list.wraps-cards-and-total', () => {
      throw error;
    });
  }
}

/** All cards of the story stand in the list, the last updated first. */
export async function list(walker: Walker): Promise<void> {
  const place = await places(walker);
  walker.tell('list the cards');
  if (!place) return;
  for (const card of walker.model.cards) {
    const clause = card.voided ? 'list.includes-voided' : card.balance === 0 ? 'list.includes-redeemed' : undefined;
    states(clause, () => holds(place(card) >= 0, `${card.name} in the list`, 'a list without it'));
  }
  const pair = misplaced(walker, place);
  if (pair) await confirm(walker, pair);
}

/** A card that was updated later than one that stands before it. */
function misplaced(walker: Walker, place: Place): [later: ModelCard, earlier: ModelCard] | undefined {
  const cards = walker.model.cards
    .filter(({ updated }) => updated !== undefined)
    .sort((a, b) => (b.updated ?? 0) - (a.updated ?? 0));
  for (const [index, later] of cards.entries()) {
    const earlier = later.voided ? undefined : cards.slice(index + 1).find((card) => place(card) < place(later));
    if (earlier) return [later, earlier];
  }
  return undefined;
}

/** What stands first of two updates within one tick is open, and what is done in the background may be an update: with time between, there is no doubt. */
async function confirm(walker: Walker, [later, earlier]: [ModelCard, ModelCard]): Promise<void> {
  for (const ms of [1_100, 2_200]) {
    await pause(ms);
    walker.tell(`wait ${ms / 1_000} s`);
    await adjust(walker, later, 'code', 1);
    const place = await places(walker);
    walker.tell('list the cards');
    if (!place || place(later) < place(earlier)) return;
  }
  throw new Contradiction(
    'list.last-updated-first',
    `${later.name}, updated last, before ${earlier.name}`,
    `${earlier.name} first`,
  );
}

/** A list of what was issued after one of the cards; nothing is said where the target shows no time of issue. */
export async function listSince(walker: Walker, card: ModelCard): Promise<void> {
  const since = card.issuedAt;
  if (since === undefined) return;
  const place = await places(walker, { since });
  walker.tell(`list what was issued after ${card.name}`);
  if (!place) return;
  const isExact = walker.t.run.profile.timesShownExactly === true;
  for (const each of walker.model.cards) {
    if (each.issuedAt === undefined) continue;
    const after = (instantOf(each.issuedAt) ?? 0) - (instantOf(since) ?? 0);
    const what = `in the list since ${card.name} was issued`;
    if (after < 0) states('list.since-goes-by-issue', () => holds(place(each) < 0, `no ${each.name} ${what}`, 'it stands there'));
    if (each.issuedAt === since && isExact)
      states('list.since-is-strictly-after', () => holds(place(each) < 0, `no ${each.name} ${what}`, 'it stands there'));
    if (after > 0 && isExact) states(undefined, () => holds(place(each) >= 0, `${each.name} ${what}`, 'a list without it'));
  }
}

/** Two pages go on where each other ends. Others may change the list meanwhile, so that it is tried three times. */
export async function listPages(walker: Walker, size: number): Promise<void> {
  const places = (cards: unknown[]) =>
    JSON.stringify(
      walker.model.cards.map(({ code, id }) => cards.findIndex((each) => mentions(each, code) || mentions(each, id))),
    );
  walker.tell(`list two pages of ${size}`);
  for (let attempt = 0; ; attempt += 1) {
    const whole = await pageOf(walker, { pageSize: 2 * size });
    const first = await pageOf(walker, { pageSize: size, pageNumber: 0 });
    const second = await pageOf(walker, { pageSize: size, pageNumber: 1 });
    const again = await pageOf(walker, { pageSize: 2 * size });
    states('list.page-size-limits', () => {
      for (const { cards } of [first, second]) holds(cards.length <= size, `at most ${size} cards on a page`, `${cards.length}`);
    });
    const [wanted, got] = [places(whole.cards), places([...first.cards, ...second.cards])];
    if (wanted !== places(again.cards) || wanted === got) return;
    if (attempt < 2) continue;
    throw new Contradiction(
      'list.page-number-from-zero',
      `the cards on pages 0 and 1 of ${size} in the places that a page of ${2 * size} has`,
      `places ${got}, not ${wanted}`,
    );
  }
}
