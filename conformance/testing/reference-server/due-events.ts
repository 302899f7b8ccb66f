import { record } from './cards.ts';
import { deliver } from './deliveries.ts';
import type { Card } from './records.ts';
import type { Account } from './service.ts';

const HOUR = 3_600_000;

/** Delivers the gifts and expires the cards that are due by the clock. */
export function runDueEvents(account: Account): void {
  const { service } = account;
  service.runChannelUpdates();
  for (const card of account.cards) {
    if (card.status !== 'Voided' && card.giftDueAt !== undefined && giftTime(account, card.giftDueAt) < service.now) {
      card.status = 'Active';
      card.giftDueAt = undefined;
      deliver(account, card, 'gifted');
    }
    if (card.expiresAt !== undefined && card.expiresAt < service.now) expire(account, card);
  }
}

const giftTime = ({ service }: Account, dueAt: number): number => {
  const every = service.options.giftEvery * HOUR;
  return every === 0 ? dueAt : Math.ceil(dueAt / every) * every;
};

function expire(account: Account, card: Card): void {
  const { service } = account;
  const { expiresVoided, expiryEmpties, entriesFor } = service.options;
  const canExpire = card.status === 'Active' || card.status === 'Redeemed' || (card.status === 'Voided' && expiresVoided);
  if (!canExpire) return;
  card.status = 'Expired';
  if (entriesFor.expiry) record(service, card, 'expiry', -card.balance);
  if (expiryEmpties) card.balance = 0;
  service.update(card);
  deliver(account, card, 'expired');
}
