import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Settings } from '../account/settings.ts';
import type { CardRecord } from '../state/records.ts';
import { DAY, endOfDay, LAST_MOMENT } from './day.ts';

/** When a card expires that says nothing of it (gift-card.create.default-expiry-applies, gift-card.create.no-default-expiry-never-expires). */
export function defaultExpiry(now: number, { defaultExpiryDays: days, timeZone }: Settings, behaviors: Behaviors): number | null {
  if (days === null) return null;
  if (behaviors['gift-card.create.default-expiry-counting'] === 'end-of-day') return endOfDay(now, days, timeZone);
  return Math.min(now + days * DAY, LAST_MOMENT);
}

/** When the clock brings a card's expiry about (gift-card.expiry.when-noticed); null when it never does by itself. */
export function expiryNoticed(card: CardRecord, { timeZone }: Settings, behaviors: Behaviors): number | null {
  if (card.expiresAt === null) return null;
  if (behaviors['gift-card.expiry.when-noticed'] === 'at-its-moment') return card.expiresAt;
  // Daily: at the first midnight after the expiry.
  return endOfDay(Math.max(card.expiresAt, card.createdAt) - 1, 0, timeZone) + 1;
}

/** Whether an expiry that has come does anything to the card as it stands. */
export function canExpire(card: CardRecord, behaviors: Behaviors): boolean {
  if (card.deletedAt !== null) return false; // gift-card.expiry.of-deleted-card
  switch (card.status) {
    case 'Active':
      return true;
    case 'Redeemed':
      return behaviors['gift-card.expiry.of-redeemed-card'] === 'expires';
    case 'Scheduled':
      return behaviors['gift-card.expiry.of-scheduled-card'] === 'expires';
    case 'Voided': // gift-card.status.voided-leaves
    case 'Expired':
      return false;
  }
}
