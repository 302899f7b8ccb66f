import type { CardRecord } from '../state/records.ts';
import { record } from './adjustments.ts';
import { type Decision, deleted, whyNotHeld } from './dashboard.ts';
import { format, type Minor } from './money.ts';
import { balanceChange } from './notifications.ts';
import type { Context, Outcome } from './outcome.ts';

/**
 * What an order in a sales channel does to a card: the service hears of it, pushes the new balance to all channels, tells the holder and delivers
 * giftcard/updated (delivery.updated.on-balance-change), all of which an adjustment through the API does only in part.
 */

/** Takes part or all of the balance off; a voucher goes in full or not at all. */
export function pay(card: CardRecord, amount: Minor, notes: string | null, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (card.kind === 'voucher') return { no: `${card.code} is a voucher, which is redeemed in full and not in part.` };
  const why = whyNotHeld(card);
  if (why !== undefined) return { no: `The card ${card.code} ${why}, so nothing can be paid with it.` };
  if (amount > card.balance)
    return { no: `The card ${card.code} holds ${shown(card.balance, card, context)}, which is less than the payment.` };
  return booked(card, -amount, notes, context);
}

/** Gives back what an order took. It is no top-up, so what was ever loaded stays the same. */
export function refund(card: CardRecord, amount: Minor, notes: string | null, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (card.status === 'Voided' || card.status === 'Expired')
    return { no: `The card ${card.code} is ${card.status}; nothing is refunded to it.` };
  const taken = card.totalIssued - card.balance;
  if (amount > taken)
    return { no: `Only ${shown(taken, card, context)} was taken off the card ${card.code}; refund no more than that.` };
  return booked(card, amount, notes, context);
}

/** A voucher is redeemed in full, whatever the order costs. */
export function redeem(card: CardRecord, notes: string | null, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (card.kind !== 'voucher') return { no: `The card ${card.code} is no voucher; take part or all of it as a payment.` };
  const why = whyNotHeld(card);
  if (why !== undefined) return { no: `The voucher ${card.code} ${why}, so it cannot be redeemed.` };
  return booked(card, -card.balance, notes, context);
}

function booked(card: CardRecord, amount: Minor, notes: string | null, context: Context): Outcome<true> {
  const wanted = { amount, notes, actionedAt: context.now, uniqueAdjustmentId: null, madeThrough: 'order' as const };
  const { adjusted, changes } = record(card, wanted, context, 0);
  return { reply: true, changes, effects: [{ kind: 'push', card: adjusted }, ...balanceChange(adjusted)] };
}

function shown(minor: Minor, { currency }: CardRecord, { settings }: Context): string {
  return format(minor, currency, settings.locale);
}
