import type { Behaviors } from '../../openapi/generated/rules.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';
import type { Context } from './outcome.ts';

type Where = Pick<Context, 'state' | 'behaviors'>;

/** Finds the card with exactly this code (gift-card.get-by-code.matches-exactly, gift-card.get-by-code.unknown-is-404), unless the card is deleted. */
export function cardByCode(state: View, code: string): CardRecord | Refusal {
  const card = state.cardByCode(code);
  return card?.deletedAt === null ? card : refuse('gift-card.not-found', `the code ${code}`);
}

/**
 * Finds a card for GetByCode. With the option `found`, finds deleted cards, too (gift-card.get-by-code.returns-the-card,
 * gift-card.get-by-code.deleted-card).
 */
export function shownByCode(code: string, { state, behaviors }: Where): CardRecord | Refusal {
  const card = state.cardByCode(code);
  const isVisible = card?.deletedAt === null || behaviors['gift-card.get-by-code.deleted-card'] === 'found';
  return card && isVisible ? card : refuse('gift-card.not-found', `the code ${code}`);
}

/** Finds a card by ID, even if the card is deleted (gift-card.get-by-id.unknown-is-404, gift-card.get-by-id.malformed-id). */
export function cardById(id: string, { state, behaviors }: Where): CardRecord | Refusal {
  const card = state.card(id);
  if (card) return card;
  const isMalformed = behaviors['gift-card.get-by-id.malformed-id'] === '400' && !GUID.test(id);
  return refuse(isMalformed ? 'gift-card.id-malformed' : 'gift-card.not-found', `the id ${id}`);
}

/** gift-card.response.id-form */
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a card for GetById. With the option `hidden`, hides deleted cards (gift-card.get-by-id.returns-the-card, gift-card.get-by-id.deleted-card). */
export function shownById(id: string, where: Where): CardRecord | Refusal {
  const isHidden = where.state.card(id)?.deletedAt != null && where.behaviors['gift-card.get-by-id.deleted-card'] === 'hidden';
  return isHidden ? refuse('gift-card.not-found', `the id ${id}`) : cardById(id, where);
}

/**
 * Finds the cards that were sent to a recipient (gift-card.get-by-email.finds-cards-sent-to-recipient, gift-card.get-by-email.which-cards), last
 * updated first (gift-card.get-by-email.order). Finds no deleted cards (gift-card.get-by-email.deleted-card). The letter case of the address does not
 * count (gift-card.get-by-email.letter-case). Without a match, returns an empty list or a refusal (gift-card.get-by-email.no-match).
 */
export function byRecipient(emailAddress: string, { state, behaviors }: Where): readonly CardRecord[] | Refusal {
  const cards = state.cardsByRecipient(emailAddress).filter(({ deletedAt }) => deletedAt === null);
  if (cards.length === 0 && behaviors['gift-card.get-by-email.no-match'] === '404')
    return refuse('gift-card.none-sent', emailAddress);
  return cards;
}

/** Finds a card by its source ID in a channel, unless the card is deleted (gift-card.get-by-source.finds-channel-card, gift-card.get-by-source.deleted-card). */
export function bySource(accountPlatformId: string, sourceId: string, { state }: Where): CardRecord | undefined {
  const card = state.cardBySource(accountPlatformId, sourceId);
  return card?.deletedAt === null ? card : undefined;
}

interface PageRequest {
  readonly pageSize: number;
  /** The first page is 0 (list.page-number-from-zero). */
  readonly pageNumber: number;
  readonly since: number | null;
  readonly includeAll: boolean;
}

interface CardPage {
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
