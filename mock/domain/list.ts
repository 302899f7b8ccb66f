import type { Behaviors } from '../../openapi/generated/rules.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';

interface PageRequest {
  readonly pageSize: number;
  /** The first page is 0 (list.page-number-from-zero). */
  readonly pageNumber: number;
  readonly since: number | null;
  readonly includeAll: boolean;
}

export interface CardPage {
  readonly cards: readonly CardRecord[];
  readonly totalCount: number;
}

/**
 * Returns a page of the account's cards, last updated first (list.last-updated-first). Redeemed, expired and voided cards are included
 * (list.includes-redeemed, list.includes-expired, list.includes-voided, list.store-credit). Deleted cards are included only with includeAll
 * (list.hides-deleted-cards, list.include-all-adds-deleted). A page has at most `pageSize` cards (list.page-size-limits).
 */
export function listPage(state: View, request: PageRequest, behaviors: Behaviors): CardPage | Refusal {
  const { pageSize, pageNumber, since, includeAll } = request;
  const first = pageNumber * pageSize;
  // list.since-goes-by-issue, list.since-is-strictly-after
  const { cards, count } = state.newest(first, pageSize, includeAll, since ?? undefined);
  // Page 0 always exists, so an empty page 0 is not an error.
  if (behaviors['list.page-past-end'] === '404' && first > 0 && first >= count)
    return refuse('list.page-past-end', String(pageNumber));
  switch (behaviors['list.total-count']) {
    case 'all-that-match':
      return { cards, totalCount: count };
    case 'all-of-the-account':
      return { cards, totalCount: state.count(true) };
    case 'on-this-page':
      return { cards, totalCount: cards.length };
  }
}
