import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { CardRecord, CardStatus } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { waitsForTime } from './notifications.ts';

/** Returns the status that follows from a balance. The options have the names of the statuses. */
export function statusByBalance(balance: Minor, before: CardStatus, behaviors: Behaviors): 'Active' | 'Redeemed' {
  if (balance < 0) return behaviors['gift-card.status.below-zero'];
  if (balance === 0) return behaviors['gift-card.status.at-zero'];
  return before === 'Redeemed' ? behaviors['gift-card.status.after-top-up'] : 'Active';
}

/**
 * Returns the status that is stored for a new card. The response to Create always shows Active
 * (gift-card.status.future-gift, gift-card.status.created-with-zero).
 */
export function statusAfterResponse(card: CardRecord, now: number, behaviors: Behaviors): CardStatus {
  if (behaviors['gift-card.status.future-gift'] === 'Scheduled' && waitsForTime(card, now)) return 'Scheduled';
  if (behaviors['gift-card.status.created-with-zero'] === 'redeemed-after-response' && card.balance <= 0) return 'Redeemed';
  return 'Active';
}
