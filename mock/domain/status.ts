import type { Readings } from '../../openapi/generated/clauses.ts';
import type { Minor } from '../money.ts';
import type { CardRecord, CardStatus } from '../state/records.ts';
import { waitsForMoment } from './notifications.ts';

/** What a card shows whose balance has become this, while it is neither voided, expired nor waiting; the readings are named as the statuses are. */
export function statusByBalance(balance: Minor, before: CardStatus, readings: Readings): 'Active' | 'Redeemed' {
  if (balance < 0) return readings['gift-card.status.below-zero'];
  if (balance === 0) return readings['gift-card.status.at-zero'];
  return before === 'Redeemed' ? readings['gift-card.status.after-top-up'] : 'Active';
}

/** What a new card, which is answered as Active, is from then on (gift-card.status.future-gift, gift-card.status.created-with-zero). */
export function statusAfterAnswer(card: CardRecord, now: number, readings: Readings): CardStatus {
  if (readings['gift-card.status.future-gift'] === 'Scheduled' && card.sendAsGift && waitsForMoment(card, now, readings))
    return 'Scheduled';
  if (readings['gift-card.status.created-with-zero'] === 'redeemed-after-answer' && card.balance <= 0) return 'Redeemed';
  return 'Active';
}
