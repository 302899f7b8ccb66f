import type { CardRecord, ListingRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { recordAndNotify } from './adjustments.ts';
import { type ActionDecision, type Objection, whyNotSpendable } from './merchant.ts';
import { format } from './money.ts';
import type { Context, Decision } from './outcome.ts';

/**
 * Actions in a sales channel on cards that are not deleted. The service learns only of orders. After an order, the service pushes the new balance to
 * all channels, notifies the recipient and delivers giftcard/updated (delivery.updated.on-balance-change).
 */

/** Redeems part or all of the balance, as an order does. */
export function pay(card: CardRecord, amount: Minor, notes: string | null, context: Context): ActionDecision {
  if (card.kind === 'voucher') return { objection: `${card.code} is a voucher, which can only be redeemed in full.` };
  const why = whyNotSpendable(card);
  if (why !== undefined) return { objection: `The card ${card.code} ${why}, so nothing can be paid with it.` };
  if (amount > card.balance)
    return { objection: `The card ${card.code} has ${shown(card.balance, card, context)}, which is less than the payment.` };
  return book(card, -amount, notes, context);
}

/** Refunds an amount that orders redeemed. A refund is not a top-up, so the total issued amount stays the same. */
export function refund(card: CardRecord, amount: Minor, notes: string | null, context: Context): ActionDecision {
  if (card.status === 'Voided' || card.status === 'Expired')
    return { objection: `The card ${card.code} is ${card.status}, so nothing can be refunded to it.` };
  const spent = card.totalIssued - card.balance;
  if (amount > spent)
    return { objection: `Only ${shown(spent, card, context)} of the card ${card.code} was spent; refund at most this amount.` };
  if (card.kind === 'voucher' && amount !== spent)
    return { objection: `${card.code} is a voucher, which is refunded in full: ${shown(spent, card, context)}.` };
  return book(card, amount, notes, context);
}

/** Redeems a voucher in full, even if the order costs less. */
export function redeem(card: CardRecord, notes: string | null, context: Context): ActionDecision {
  if (card.kind !== 'voucher') return { objection: `The card ${card.code} is not a voucher; redeem it as a payment.` };
  const why = whyNotSpendable(card);
  if (why !== undefined) return { objection: `The voucher ${card.code} ${why}, so it cannot be redeemed.` };
  return book(card, -card.balance, notes, context);
}

function book(card: CardRecord, amount: Minor, notes: string | null, context: Context): Decision {
  const adjustment = { amount, notes, actionedAt: context.now, uniqueAdjustmentId: null, madeThrough: 'order' as const };
  return recordAndNotify(card, adjustment, context, 0);
}

function shown(minor: Minor, { currency }: CardRecord, { settings }: Context): string {
  return format(minor, currency, settings.locale);
}

/**
 * Changes only the balance in the channel (channels.own-changes-not-picked-up). The two balances differ until the service pushes the card again
 * (channels.own-changes-drift, adjustment.corrects-channel-drift).
 */
export function drift(card: CardRecord, listing: ListingRecord | undefined, balance: Minor): ActionDecision {
  return listing?.state === 'synced' ? listInChannel({ ...listing, balance }) : notListed(card);
}

/** Sets a sync error, which the channel shows until the service pushes the card again. */
export function fail(card: CardRecord, listing: ListingRecord | undefined, error: string): ActionDecision {
  return listing ? listInChannel({ ...listing, state: 'sync-error', error }) : notListed(card);
}

export function listInChannel(listing: ListingRecord): Decision {
  return { changes: [{ table: 'listings', put: listing }], effects: [] };
}

function notListed(card: CardRecord): Objection {
  return {
    objection: `The card ${card.code} is not in the channel. The sync error of the card shows why; retry the push to add the card.`,
  };
}
