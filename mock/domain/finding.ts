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
