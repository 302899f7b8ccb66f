import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Ask } from '../http/exchange.ts';

export const listPath = '/api/GiftCard/List';

/** A harmless request that a service answers with 200. */
export const shortList = { method: 'GET', path: listPath, query: { pageSize: 1 } } as const satisfies Ask;

/** The largest page size that the service allows. */
export const fullPage = clauseValues['list.page-size-maximum'];

/** The suite reads at most this many pages. */
export const mostPages = 20;

interface Listed {
  readonly cards: readonly unknown[];
  /** Whether reading ended at `enough` or at the end of the list. If not, a missing card may be on a later page. */
  readonly isEnough: boolean;
}

/**
 * The list's cards, page by page. `page` resolves with undefined if there is no such page; one past the end may be refused. `enough` is called with each
 * page.
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
