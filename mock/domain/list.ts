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
  const listed =
    page.since === null ? all(state, page.includeAll, behaviors) : issuedAfter(state, page.since, page.includeAll, behaviors);
  const first = page.pageNumber * page.pageSize;
  // Page 0 is there even when it is empty.
  if (behaviors['list.page-past-end'] === '404' && first > 0 && first >= listed.count)
    return refuse('list.page-past-end', String(page.pageNumber));
  const isTurned = behaviors['list.update-ties'] === 'earlier-change-first';
  const cards = isTurned ? partWithTiesTurned(listed, first, page.pageSize) : listed.part(first, page.pageSize);
  switch (behaviors['list.total-count']) {
    case 'all-that-match':
      return { cards, totalCount: listed.count };
    case 'all-of-the-account':
      return { cards, totalCount: all(state, true, behaviors).count };
    case 'on-this-page':
      return { cards, totalCount: cards.length };
  }
}

/** list.store-credit */
function all(state: View, withDeleted: boolean, behaviors: Behaviors): Listed {
  if (behaviors['list.store-credit'] === 'left-out')
    return {
      count: state.countSold(withDeleted),
      part: (first, length) => state.newestSold(first, length, withDeleted),
    };
  return { count: state.count(withDeleted), part: (first, length) => state.newest(first, length, withDeleted) };
}

/** list.since-goes-by-issue, list.since-is-strictly-after */
function issuedAfter(state: View, since: number, withDeleted: boolean, behaviors: Behaviors): Listed {
  const issued = state.issuedAfter(since, withDeleted);
  const cards = behaviors['list.store-credit'] === 'left-out' ? issued.filter(({ kind }) => kind !== 'store-credit') : issued;
  return { count: cards.length, part: (first, length) => cards.slice(first, first + length) };
}

/** list.update-ties: where cards of one moment stand the other way round. It looks at a few cards more for each moment of the page. */
function partWithTiesTurned(listed: Listed, first: number, length: number): readonly CardRecord[] {
  const momentAt = (position: number) => listed.part(position, 1)[0]?.updatedAt ?? Number.NEGATIVE_INFINITY;
  const end = Math.min(first + length, listed.count);
  const cards: CardRecord[] = [];
  for (let position = first; position < end; ) {
    const moment = momentAt(position);
    const begin = firstWhere((at) => momentAt(at) <= moment, 0, position);
    const behind = firstWhere((at) => momentAt(at) < moment, position, listed.count);
    const size = Math.min(behind, end) - position;
    cards.push(...listed.part(begin + behind - position - size, size).toReversed());
    position += size;
  }
  return cards;
}

/** The first position between the two at which it holds, as it does from there on; `to` when it holds at none before. */
function firstWhere(holds: (position: number) => boolean, from: number, to: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
