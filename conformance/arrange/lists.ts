import type { Answer } from '../client.ts';
import { mentions } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';
import { Blocked, Untested } from '../verdict.ts';

export interface ListQuery {
  pageSize?: number;
  pageNumber?: number;
  since?: string;
  includeAll?: boolean;
}

export function list(t: Trial, query: ListQuery = {}, key?: string): Promise<Answer> {
  const told = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return t.send(`list ${told.join(' ')}`.trim(), {
    method: 'GET',
    path: '/api/GiftCard/List',
    query: { ...query },
    ...(key === undefined ? {} : { key }),
  });
}

const mostPages = 20;

/** Whether the list holds the card, by its code or its id. Untested `budget` when it goes on after twenty full pages: that shows neither. */
export async function isListed(
  t: Trial,
  wanted: { code: string; id?: string | number },
  query: ListQuery = {},
  key?: string,
): Promise<boolean> {
  for (let pageNumber = 0; pageNumber < mostPages; pageNumber += 1) {
    const { json } = arranged(await list(t, { pageSize: 50, pageNumber, ...query }, key), 'listing cards');
    const cards = (json as { giftCards?: unknown } | undefined)?.giftCards;
    if (!Array.isArray(cards)) throw new Blocked('listing cards: the answer has no array giftCards');
    if (cards.some((each) => mentions(each, wanted.code) || (wanted.id !== undefined && mentions(each, wanted.id)))) return true;
    if (cards.length < 50) return false;
  }
  throw new Untested('budget', `the list goes on after ${mostPages} pages of 50 cards, and the card was not among them`);
}
