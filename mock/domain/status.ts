import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { CardRecord, CardStatus } from '../state/records.ts';
import type { Minor } from './money.ts';
import { waitsForMoment } from './notifications.ts';

/** What a card shows whose balance has become this, while it is neither voided, expired nor waiting; the behaviors are named as the statuses are. */
export function statusByBalance(balance: Minor, before: CardStatus, behaviors: Behaviors): 'Active' | 'Redeemed' {
  if (balance < 0) return behaviors['gift-card.status.below-zero'];
  if (balance === 0) return behaviors['gift-card.status.at-zero'];
  return before === 'Redeemed' ? behaviors['gift-card.status.after-top-up'] : 'Active';
}

/** What a new card, which is answered as Active, is from then on (gift-card.status.future-gift, gift-card.status.created-with-zero). */
export function statusAfterAnswer(card: CardRecord, now: number, behaviors: Behaviors): CardStatus {
  if (behaviors['gift-card.status.future-gift'] === 'Scheduled' && card.sendAsGift && waitsForMoment(card, now))
    return 'Scheduled';
  if (behaviors['gift-card.status.created-with-zero'] === 'redeemed-after-answer' && card.balance <= 0) return 'Redeemed';
  return 'Active';
}
