import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';
import { cardShownAs, looksRight } from './card-ids.ts';
import { wasEmailed } from './notifications.ts';
import type { Context } from './outcome.ts';

/** What a look-up needs to know of the account. */
export type Where = Pick<Context, 'state' | 'behaviors'>;

/**
 * The card with exactly this code, letter case and blanks included (gift-card.get-by-code.returns-the-card, gift-card.get-by-code.matches-exactly),
 * or none (gift-card.get-by-code.unknown-is-404); a deleted card has none that finds it.
 */
export function byCode(state: View, code: string): CardRecord | Refusal {
  const card = state.cardByCode(code);
  return card?.deletedAt === null ? card : refuse('gift-card.not-found', `the code ${code}`);
}

/** The same for who only wants to see the card (gift-card.get-by-code.deleted-card). */
export function seenByCode(code: string, { state, behaviors }: Where): CardRecord | Refusal {
  const found = byCode(state, code);
  const seesDeleted = behaviors['gift-card.get-by-code.deleted-card'] === 'found';
  return refused(found) && seesDeleted ? (state.cardByCode(code) ?? found) : found;
}

/** The card that has this ID, which is a GUID, deleted ones included. */
export function byId(state: View, id: string): CardRecord | Refusal {
  return state.card(id) ?? refuse('gift-card.not-found', `the id ${id}`);
}

/**
 * The card that is shown with this ID (gift-card.get-by-id.returns-the-card), or none (gift-card.get-by-id.unknown-is-404); an ID of another look
 * names no card (gift-card.get-by-id.malformed-id).
 */
export function byShownId(id: string | number, { state, behaviors }: Where): CardRecord | Refusal {
  const form = behaviors['gift-card.response.id-form'];
  const text = String(id);
  const card = cardShownAs(text, state, form);
  if (card) return card;
  const isMalformed = behaviors['gift-card.get-by-id.malformed-id'] === '400' && !looksRight(text, form);
  return refuse(isMalformed ? 'gift-card.id-malformed' : 'gift-card.not-found', `the id ${id}`);
}

/** The same for who only wants to see the card (gift-card.get-by-id.deleted-card). */
export function seenById(id: string, where: Where): CardRecord | Refusal {
  const card = byShownId(id, where);
  const isHidden = !refused(card) && card.deletedAt !== null && where.behaviors['gift-card.get-by-id.deleted-card'] === 'hidden';
  return isHidden ? refuse('gift-card.not-found', `the id ${id}`) : card;
}

/**
 * The cards that were sent to that recipient (gift-card.get-by-email.finds-cards-sent-to-recipient); none of them is an answer too
 * (gift-card.get-by-email.no-match).
 */
export function byRecipient(emailAddress: string, context: Context): readonly CardRecord[] | Refusal {
  const { state, behaviors } = context;
  const latestFirst = state.cardsByRecipient(emailAddress).filter((card) => isSentTo(emailAddress, card, context));
  if (latestFirst.length === 0 && behaviors['gift-card.get-by-email.no-match'] === '404')
    return refuse('gift-card.none-sent', emailAddress);
  const order = behaviors['gift-card.get-by-email.order'];
  if (order === 'last-updated-first') return latestFirst;
  const newestFirst = latestFirst.toSorted((one, other) => other.createdAt - one.createdAt);
  return order === 'newest-first' ? newestFirst : newestFirst.reverse();
}

/** gift-card.get-by-email.letter-case, gift-card.get-by-email.deleted-card, gift-card.get-by-email.which-cards */
function isSentTo(emailAddress: string, card: CardRecord, context: Context): boolean {
  const { behaviors } = context;
  if (behaviors['gift-card.get-by-email.letter-case'] === 'counts' && card.recipientEmailAddress !== emailAddress) return false;
  if (card.deletedAt !== null && behaviors['gift-card.get-by-email.deleted-card'] === 'hidden') return false;
  return behaviors['gift-card.get-by-email.which-cards'] === 'all-with-the-address' || wasEmailed(card, context);
}

/** gift-card.get-by-source.finds-channel-card; undefined for one that there is not, or that was deleted (gift-card.get-by-source.deleted-card). */
export function bySource(accountPlatformId: string, sourceId: string, { state, behaviors }: Where): CardRecord | undefined {
  const card = state.cardBySource(accountPlatformId, sourceId);
  const isHidden = card && card.deletedAt !== null && behaviors['gift-card.get-by-source.deleted-card'] === 'hidden';
  return isHidden ? undefined : card;
}
