import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';

export interface Page {
  readonly pageSize: number;
  /** Counts from 0 (list.page-number-from-zero). */
  readonly pageNumber: number;
  readonly since: number | null;
  readonly includeAll: boolean;
}

/** The cards of which a page is a part, in their order. */
interface Listed {
  readonly count: number;
  part(first: number, length: number): readonly CardRecord[];
}

/**
 * A page of the account's cards, the last updated first (list.last-updated-first); redeemed, expired and voided ones are among them
 * (list.includes-redeemed, list.includes-expired, list.includes-voided), deleted ones only with includeAll (list.hides-deleted-cards,
 * list.include-all-adds-deleted). A page holds no more than was asked for (list.page-size-limits).
 */
export function list(
  state: View,
  page: Page,
  behaviors: Behaviors,
): { cards: readonly CardRecord[]; totalCount: number } | Refusal {
  const listed = page.since === null ? all(state, page.includeAll) : issuedAfter(state, page.since, page.includeAll);
  const first = page.pageNumber * page.pageSize;
  // Page 0 is there even when it is empty.
  if (behaviors['list.page-past-end'] === '404' && first > 0 && first >= listed.count)
    return refuse('list.page-past-end', String(page.pageNumber));
  const cards = listed.part(first, page.pageSize);
  switch (behaviors['list.total-count']) {
    case 'all-that-match':
      return { cards, totalCount: listed.count };
    case 'all-of-the-account':
      return { cards, totalCount: all(state, true).count };
    case 'on-this-page':
      return { cards, totalCount: cards.length };
  }
}

/** list.store-credit: they are listed too. */
function all(state: View, withDeleted: boolean): Listed {
  return { count: state.count(withDeleted), part: (first, length) => state.newest(first, length, withDeleted) };
}

/** list.since-goes-by-issue, list.since-is-strictly-after */
function issuedAfter(state: View, since: number, withDeleted: boolean): Listed {
  const cards = state.issuedAfter(since, withDeleted);
  return { count: cards.length, part: (first, length) => cards.slice(first, first + length) };
}
