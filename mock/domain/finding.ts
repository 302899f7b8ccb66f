import type { Readings } from '../../openapi/generated/clauses.ts';
import type { CardRecord } from '../records.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { View } from '../state.ts';

/**
 * The card with exactly this code, letter case and blanks included (gift-card.get-by-code.returns-the-card, gift-card.get-by-code.matches-exactly),
 * or none (gift-card.get-by-code.unknown-is-404). Deleted cards are not found by code (gift-card.get-by-code.deleted-card).
 */
export function byCode(state: View, code: string): CardRecord | Refusal {
  const card = state.cardByCode(code);
  return card?.deletedAt === null ? card : refuse('gift-card.not-found', `the code ${code}`);
}

/**
 * The card with this id (gift-card.get-by-id.returns-the-card), deleted ones included (gift-card.get-by-id.deleted-card), or none
 * (gift-card.get-by-id.unknown-is-404); an id of another look names no card (gift-card.get-by-id.malformed-id).
 */
export function byId(state: View, id: string): CardRecord | Refusal {
  return state.card(id) ?? refuse('gift-card.not-found', `the id ${id}`);
}

/**
 * Every card with that recipient address (gift-card.get-by-email.finds-cards-sent-to-recipient, gift-card.get-by-email.which-cards,
 * gift-card.get-by-email.no-match), in any letter case (gift-card.get-by-email.letter-case), the
 * last updated first (gift-card.get-by-email.order); deleted ones are left out (gift-card.get-by-email.deleted-card).
 */
export function byRecipient(state: View, emailAddress: string): readonly CardRecord[] {
  return state.cardsByRecipient(emailAddress).filter((card) => card.deletedAt === null);
}

/** gift-card.get-by-source.finds-channel-card, gift-card.get-by-source.unknown; not a deleted one (gift-card.get-by-source.deleted-card). */
export function bySource(state: View, accountPlatformId: string, sourceId: string): CardRecord | Refusal {
  const card = state.cardBySource(accountPlatformId, sourceId);
  return card?.deletedAt === null
    ? card
    : refuse('gift-card.not-found', `the ID ${sourceId} of the channel ${accountPlatformId}`);
}

export interface Page {
  readonly pageSize: number;
  /** Counts from 0 (list.page-number-from-zero). */
  readonly pageNumber: number;
  readonly since: number | null;
  readonly includeAll: boolean;
}

/**
 * A page of the account's cards, the last updated first (list.last-updated-first); redeemed, expired and voided ones are among them
 * (list.includes-redeemed, list.includes-expired, list.includes-voided), deleted ones only with includeAll (list.hides-deleted-cards,
 * list.include-all-adds-deleted). A page holds no more than was asked for (list.page-size-limits).
 */
export function list(
  state: View,
  page: Page,
  readings: Readings,
): { cards: readonly CardRecord[]; totalCount: number } | Refusal {
  const first = page.pageNumber * page.pageSize;
  const matching = page.since === null ? undefined : issuedAfter(state, page.since, page.includeAll, readings);
  const count = matching?.length ?? counted(state, page.includeAll, readings);
  // list.page-past-end: page 0 is there even when it is empty.
  if (first > 0 && first >= count && readings['list.page-past-end'] === '404') return refuse('operation.unknown-path');
  const cards = matching
    ? matching.slice(first, first + page.pageSize)
    : newest(state, first, page.pageSize, page.includeAll, readings);
  return { cards, totalCount: total(readings['list.total-count'], { count, state, cards, readings }) };
}

function total(
  reading: Readings['list.total-count'],
  found: { count: number; state: View; cards: readonly CardRecord[]; readings: Readings },
): number {
  if (reading === 'all-of-the-account') return counted(found.state, true, found.readings);
  return reading === 'on-this-page' ? found.cards.length : found.count;
}

/** list.store-credit */
function counted(state: View, includeDeleted: boolean, readings: Readings): number {
  return readings['list.store-credit'] === 'listed' ? state.count(includeDeleted) : state.countSold(includeDeleted);
}

/** list.since-goes-by-issue, list.since-is-strictly-after */
function issuedAfter(state: View, since: number, includeDeleted: boolean, readings: Readings): readonly CardRecord[] {
  const issued = state.issuedAfter(since, includeDeleted);
  const listed = readings['list.store-credit'] === 'listed' ? issued : issued.filter(({ kind }) => kind !== 'store-credit');
  if (readings['list.update-ties'] === 'later-change-first') return listed;
  return listed.toReversed().sort((one, other) => other.updatedAt - one.updatedAt);
}

function newest(state: View, first: number, length: number, includeDeleted: boolean, readings: Readings): readonly CardRecord[] {
  const part = (from: number, size: number) =>
    readings['list.store-credit'] === 'listed'
      ? state.newest(from, size, includeDeleted)
      : state.newestSold(from, size, includeDeleted);
  if (readings['list.update-ties'] === 'later-change-first') return part(first, length);
  return withTiesTurned(part, first, Math.min(first + length, counted(state, includeDeleted, readings)));
}

/** list.update-ties: the cards from `first` up to `end`, where those of one moment stand the other way round. */
function withTiesTurned(
  part: (from: number, size: number) => readonly CardRecord[],
  first: number,
  end: number,
): readonly CardRecord[] {
  const momentAt = (position: number) => part(position, 1)[0]?.updatedAt ?? Number.NEGATIVE_INFINITY;
  const cards: CardRecord[] = [];
  for (let position = first; position < end; ) {
    const moment = momentAt(position);
    const begins = firstWhere((at) => momentAt(at) <= moment, position);
    let step = 1;
    while (momentAt(position + step) === moment) step *= 2;
    const ends = firstWhere((at) => momentAt(at) < moment, position + step);
    const size = Math.min(ends, end) - position;
    cards.push(...part(begins + ends - position - size, size).toReversed());
    position += size;
  }
  return cards;
}

/** The first position, at most `last`, from which on it holds; it holds at `last`. */
function firstWhere(holds: (position: number) => boolean, last: number): number {
  let [from, to] = [0, last];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
