import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Ask } from '../http/exchange.ts';

export const listPath = '/api/GiftCard/List';

/** A harmless request that is answered with 200. */
export const shortList = { method: 'GET', path: listPath, query: { pageSize: 1 } } as const satisfies Ask;

/** Cards of a page when none is asked for, and the most that one may hold. */
export const usualPage = clauseValues['list.page-size-default'];
export const fullPage = clauseValues['list.page-size-maximum'];

/** Full pages after which looking through a list ends: an account may have any number of cards. */
export const mostPages = 20;

interface Listed {
  readonly cards: readonly unknown[];
  /** It went on until it was enough, or there was no more; otherwise what is not among the cards may still stand behind them. */
  readonly isEnough: boolean;
}

/**
 * The list's cards, page by page. `page` answers undefined where there is none, as behind the last one, which may be refused; of a list
 * without a first page nothing is known. `enough` is asked after each page, with what that has.
 */
export async function pageByPage(
  page: (query: { pageSize: number; pageNumber: number }) => Promise<readonly unknown[] | undefined>,
  enough: (page: readonly unknown[]) => boolean = () => false,
): Promise<Listed> {
  const cards: unknown[] = [];
  for (let pageNumber = 0; pageNumber < mostPages; pageNumber += 1) {
    const more = await page({ pageSize: fullPage, pageNumber });
    if (more === undefined) return { cards, isEnough: pageNumber > 0 };
    cards.push(...more);
    if (more.length < fullPage || enough(more)) return { cards, isEnough: true };
  }
  return { cards, isEnough: false };
}
