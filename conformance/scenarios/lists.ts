import { fullPage, listPath, mostPages, pageByPage } from '../core/card-list.ts';
import { describeAnswer, expectAnswer, expectThat, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { mentions } from '../http/json-search.ts';
import { type Card, card, holdsCard, withKey } from './cards.ts';

/** Strings where a test sends a malformed value. */
export interface ListQuery {
  pageSize?: number | string;
  pageNumber?: number | string;
  since?: string;
  includeAll?: boolean | string;
}

export function list(t: Trial, query: ListQuery = {}, key?: string): Promise<Answer> {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return t.send(['list', ...parameters].join(' '), { method: 'GET', path: listPath, query: { ...query }, ...withKey(key) });
}

interface Page {
  cards: unknown[];
  totalCount: number;
}

/** A page of the list. A Violation if the response is not one. Blocked if there is no list, unless `check` says otherwise. */
export async function page(t: Trial, query: ListQuery, check = expectAnswer): Promise<Page> {
  const answer = await list(t, query);
  check(answer, 'the list');
  const { giftCards, totalCount } = objectIn(answer, 'the list');
  const isPage = Array.isArray(giftCards) && typeof totalCount === 'number';
  expectThat(isPage, 'an object with giftCards (array) and totalCount (number)', describeAnswer(answer));
  return { cards: giftCards as unknown[], totalCount: totalCount as number };
}

/** The cards of a list response, if it has any. */
export function cardsOf({ status, json }: Answer): unknown[] | undefined {
  const { giftCards } = (json ?? {}) as { giftCards?: unknown };
  return status === 200 && Array.isArray(giftCards) ? giftCards : undefined;
}

export const indexOfCard = (cards: unknown[], wanted: Card) => cards.findIndex((element) => holdsCard(element, wanted));

/** Creates cards until the account has that many. Returns how many it has. */
export async function atLeast(t: Trial, wanted: number): Promise<number> {
  const { totalCount } = await page(t, { pageSize: 1 });
  for (let there = totalCount; there < wanted; there += 1) await card(t);
  return Math.max(totalCount, wanted);
}

interface Wanted {
  code: string;
  id?: string | number;
}

/** Whether the list contains the card, by its code or ID. Untested as `findListed`. */
export async function isListed(t: Trial, wanted: Wanted, query: ListQuery = {}, key?: string): Promise<boolean> {
  return (await findListed(t, wanted, query, key)) !== undefined;
}

/** The card's record in the list. Untested `budget` if it is not on the first twenty full pages and more follow. */
export async function findListed(t: Trial, wanted: Wanted, query: ListQuery = {}, key?: string): Promise<unknown> {
  let total = Number.POSITIVE_INFINITY;
  let found: unknown;
  const isWanted = (record: unknown) => mentions(record, wanted.code) || (wanted.id !== undefined && mentions(record, wanted.id));
  const { isEnough } = await pageByPage(
    async ({ pageSize, pageNumber }) => {
      const answer = await list(t, { pageSize, pageNumber, ...query }, key);
      // The target may reject a page after the last one.
      if (pageNumber > 0 && pageSize * pageNumber >= total && answer.status !== 200) return undefined;
      const cards = cardsOf(mustSucceed(answer, 'listing cards'));
      if (!cards) throw new Blocked('listing cards: the response has no array giftCards');
      const { totalCount } = answer.json as { totalCount?: unknown };
      total = typeof totalCount === 'number' ? totalCount : Number.POSITIVE_INFINITY;
      found = cards.find(isWanted);
      return cards;
    },
    () => found !== undefined,
  );
  if (isEnough) return found;
  throw new Untested('budget', `the card is not on the first ${mostPages} pages of ${fullPage} cards, and more pages follow`);
}
