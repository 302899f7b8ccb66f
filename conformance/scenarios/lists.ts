import { describeResponse, expectResponse, objectIn } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { mentions } from '../http/json-search.ts';
import { fullPage, listPath, mostPages } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import { createCard, type TestCard, withKey } from './cards.ts';

/** Query parameters of the list. Tests of malformed values pass strings. */
export interface ListQuery {
  pageSize?: number | string;
  pageNumber?: number | string;
  since?: string;
  includeAll?: boolean | string;
}

export function sendList(t: Trial, query: ListQuery = {}, key?: string): Promise<TargetResponse> {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return t.send(['list', ...parameters].join(' '), { method: 'GET', path: listPath, query: { ...query }, ...withKey(key) });
}

/** Gets a page of the list. Throws a Violation if the response is not a page. Throws Blocked if the endpoint is missing. */
export async function page(t: Trial, query: ListQuery) {
  const response = await sendList(t, query);
  expectResponse(response, 'the list');
  return pageIn(response);
}

export function pageIn(response: TargetResponse): { cards: unknown[]; totalCount: number } {
  const { giftCards, totalCount } = objectIn(response, 'the list');
  if (!Array.isArray(giftCards) || typeof totalCount !== 'number')
    throw new Violation('an object with giftCards (array) and totalCount (number)', describeResponse(response));
  return { cards: giftCards, totalCount };
}

/** Returns the cards of a list response. Returns undefined if the response is not a page. */
export function cardsOf({ status, json }: TargetResponse): unknown[] | undefined {
  const { giftCards } = (json ?? {}) as { giftCards?: unknown };
  return status === 200 && Array.isArray(giftCards) ? giftCards : undefined;
}

/** Creates cards until the account has the wanted number. */
export async function atLeast(t: Trial, wanted: number): Promise<void> {
  const { totalCount } = await page(t, { pageSize: 1 });
  for (let there = totalCount; there < wanted; there += 1) await createCard(t);
}

type Wanted = Pick<TestCard, 'code'> & Partial<Pick<TestCard, 'id'>>;

/** Reports whether the list contains the card. Throws like `findListed`. */
export const isListed = async (...search: Parameters<typeof findListed>): Promise<boolean> =>
  (await findListed(...search)) !== undefined;

/** Finds the card's record in the list by code or ID. Throws Untested `budget` if the card is not on the first 20 full pages and more pages follow. */
export async function findListed(t: Trial, { code, id }: Wanted, query: ListQuery = {}, key?: string): Promise<unknown> {
  for (let pageNumber = 0; pageNumber < mostPages; pageNumber += 1) {
    const response = await sendList(t, { pageSize: fullPage, pageNumber, ...query }, key);
    // A target may reject a page after the last page. The card is then not in the list.
    if (pageNumber > 0 && [400, 404].includes(response.status)) return undefined;
    const cards = cardsOf(mustSucceed(response, 'listing cards'));
    if (!cards) throw new Blocked('listing cards: the response has no array giftCards');
    const found = cards.find((record) => mentions(record, code) || (id !== undefined && mentions(record, id)));
    if (found !== undefined || cards.length < fullPage) return found;
  }
  throw new Untested('budget', `the card is not on the first ${mostPages} pages of ${fullPage} cards, and more pages follow`);
}
