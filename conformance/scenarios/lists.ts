import { fullPage, listPath, mostPages, pageByPage } from '../core/card-list.ts';
import { answered, giftCard, holds, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { mentions } from '../http/structure.ts';
import { holdsCard } from './card-requests.ts';
import { type Card, card } from './cards.ts';

/** Texts stand for what is doubtful about a value. */
export interface ListQuery {
  pageSize?: number | string;
  pageNumber?: number | string;
  since?: string;
  includeAll?: boolean | string;
}

export function list(t: Trial, query: ListQuery = {}, key?: string): Promise<Answer> {
  const told = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return t.send(`list ${told.join(' ')}`.trim(), {
    method: 'GET',
    path: listPath,
    query: { ...query },
    ...(key === undefined ? {} : { key }),
  });
}

interface Page {
  cards: unknown[];
  totalCount: number;
}

/** The list's page, or a Violation where the answer is none; Blocked where there is no list, unless that is what is judged. */
export async function page(t: Trial, query: ListQuery, judge = answered): Promise<Page> {
  const answer = await list(t, query);
  judge(answer, 'the list');
  const { giftCards, totalCount } = giftCard(answer, 'the list');
  holds(
    Array.isArray(giftCards) && typeof totalCount === 'number',
    'an object with giftCards (array) and totalCount (number)',
    told(answer),
  );
  return { cards: giftCards as unknown[], totalCount: totalCount as number };
}

export const place = (cards: unknown[], wanted: Card) => cards.findIndex((element) => holdsCard(element, wanted));

/** Creates cards until the account has that many, and says how many there are. */
export async function atLeast(t: Trial, wanted: number): Promise<number> {
  const { totalCount } = await page(t, { pageSize: 1 });
  for (let there = totalCount; there < wanted; there += 1) await card(t);
  return Math.max(totalCount, wanted);
}

/** Whether the list holds the card, by its code or its id. Untested `budget` when it goes on after twenty full pages: that shows neither. */
export async function isListed(t: Trial, wanted: Wanted, query: ListQuery = {}, key?: string): Promise<boolean> {
  return (await findListed(t, wanted, query, key)) !== undefined;
}

interface Wanted {
  code: string;
  id?: string | number;
}

/** The card's record in the list, or undefined; Untested as above. */
export async function findListed(t: Trial, wanted: Wanted, query: ListQuery = {}, key?: string): Promise<unknown> {
  let total = Number.POSITIVE_INFINITY;
  let found: unknown;
  const isMeant = (record: unknown) => mentions(record, wanted.code) || (wanted.id !== undefined && mentions(record, wanted.id));
  const { isEnough } = await pageByPage(
    async ({ pageSize, pageNumber }) => {
      const answer = await list(t, { pageSize, pageNumber, ...query }, key);
      // A page behind the last one may be refused.
      if (pageNumber > 0 && pageSize * pageNumber >= total && answer.status !== 200) return undefined;
      const { giftCards: cards, totalCount } = (arranged(answer, 'listing cards').json ?? {}) as Record<string, unknown>;
      total = typeof totalCount === 'number' ? totalCount : Number.POSITIVE_INFINITY;
      if (!Array.isArray(cards)) throw new Blocked('listing cards: the answer has no array giftCards');
      found = cards.find(isMeant);
      return cards;
    },
    () => found !== undefined,
  );
  if (isEnough) return found;
  throw new Untested('budget', `the list goes on after ${mostPages} pages of ${fullPage} cards, and the card was not among them`);
}
