import type { Refusal } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import { voiding } from './gift-cards.ts';
import { toAmount } from './money.ts';
import { gift, reminder } from './notifications.ts';
import type { Context, Decision, Effect } from './outcome.ts';

/** Actions by the merchant on cards that are not deleted. Each change is pushed to the channels (channels.merchant-changes-pushed). */

/** A sentence that explains why the merchant or a channel rejects an action. */
export interface Objection {
  readonly objection: string;
}

export type ActionDecision = Decision | Refusal | Objection;

export function isObjection(decision: ActionDecision): decision is Objection {
  return 'objection' in decision;
}

export function voidByMerchant(card: CardRecord, context: Context): ActionDecision {
  if (card.status === 'Voided') return { objection: `The card ${card.code} is already voided.` };
  return voiding(card, { through: 'merchant', line: 'Voided by the merchant' }, context);
}

/** Deletes a card. The card stays in its channels. Only GetById and includeAll still show the card (gift-card.deleted-by, gift-card.deleted-shown-as). */
export function deleteByMerchant(card: CardRecord, context: Context): ActionDecision {
  const removed: CardRecord = { ...card, deletedAt: context.now, updatedAt: context.now }; // list.update-by-deletion
  return changed(removed, 'Deleted by the merchant', [], context);
}

/** Sends a balance reminder now. The planned reminder is also sent, at its own time (delivery.reminder.on-reminder). */
export function remind(card: CardRecord, context: Context): ActionDecision {
  const why = whyNotSpendable(card);
  if (why !== undefined) return { objection: `The card ${card.code} ${why}, so no reminder can be sent.` };
  return { changes: [timeline(card, 'Balance reminder sent by the merchant', context)], effects: reminder(card) };
}

export type Gift = Pick<
  CardRecord,
  'recipientName' | 'recipientEmailAddress' | 'buyerName' | 'buyerEmailAddress' | 'giftMessage' | 'giftScheduledFor'
>;

/**
 * Gives a card to a recipient, now or at a later time. Until that time, the card is Scheduled (gift-card.status.future-gift). No other action changes the
 * recipient of a card (gift-card.expiry-and-recipient.fixed-after-create).
 */
export function give(card: CardRecord, wanted: Gift, context: Context): ActionDecision {
  const why = card.status === 'Scheduled' ? undefined : whyNotSpendable(card);
  if (why !== undefined) return { objection: `The card ${card.code} ${why}, so it cannot be given.` };
  if (card.kind === 'store-credit') return { objection: `The card ${card.code} is a store credit, which cannot be given.` };
  const { now, behaviors } = context;
  if (wanted.giftScheduledFor !== null && wanted.giftScheduledFor <= now)
    return { objection: 'giftScheduledForUtc has passed; omit giftScheduledForUtc to give the card now.' };

  const isLater = wanted.giftScheduledFor !== null;
  const given: CardRecord = {
    ...card,
    ...wanted,
    sendAsGift: true,
    shouldSendNotification: true,
    status: isLater ? 'Scheduled' : 'Active',
    updatedAt: now,
  };
  const line = `Sent by the merchant as a gift from ${given.buyerName} to ${given.recipientName}`;
  return changed(given, line, isLater ? [] : gift(given, behaviors), context);
}

function changed(card: CardRecord, line: string, effects: readonly Effect[], context: Context): Decision {
  return {
    changes: [{ table: 'cards', put: card }, timeline(card, line, context)],
    effects: [{ kind: 'push', card }, ...effects],
  };
}

function timeline(card: CardRecord, text: string, { now }: Context): Change {
  return { table: 'timeline', put: { cardId: card.id, at: now, text } };
}

export function deleted(card: CardRecord): Objection {
  return { objection: `The card ${card.code} was deleted.` };
}

/** Returns the reason why nothing can be spent from a card, as the end of a sentence. If something can be spent, returns undefined. */
export function whyNotSpendable({ status, balance, currency }: CardRecord): string | undefined {
  if (status !== 'Active') return `is ${status}`;
  return balance > 0 ? undefined : `has a balance of ${toAmount(balance, currency)} ${currency}`;
}
