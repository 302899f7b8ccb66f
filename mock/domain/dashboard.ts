import type { Refusal } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import { voiding } from './gift-cards.ts';
import { toAmount } from './money.ts';
import { gift, reminder } from './notifications.ts';
import type { Context, Effect, Outcome } from './outcome.ts';

/** What somebody does to a card in the dashboard, which has no endpoint. All of it is pushed like any change (channels.dashboard-changes-pushed). */

/** A no of the dashboard or of a channel, for which the API has no word: a sentence. */
export interface No {
  readonly no: string;
}

/** The card and what else follows, a refusal that the API has as well, or a no. */
export type Decision = Outcome<unknown> | Refusal | No;

export function isNo(decision: Decision): decision is No {
  return 'no' in decision;
}

/** Like a void through the API, but for who did it; a card that is voided already is not voided again. */
export function voidInDashboard(card: CardRecord, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  if (card.status === 'Voided') return { no: `The card ${card.code} is voided already.` };
  return voiding(card, { through: 'dashboard', line: 'Voided in the dashboard' }, context);
}

/** The card stays as it was, and stays in its channels; but for includeAll and its id nobody finds it any more (gift-card.deleted-by, gift-card.deleted-shown-as). */
export function remove(card: CardRecord, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  const gone: CardRecord = { ...card, deletedAt: context.now, updatedAt: context.now }; // list.update-by-deletion
  return changed(gone, 'Deleted in the dashboard', [], context);
}

/** A balance reminder before its time; the next one is not put off by it (delivery.reminder.on-reminder). */
export function remind(card: CardRecord, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  const why = whyNotHeld(card);
  if (why !== undefined) return { no: `The card ${card.code} ${why}, so there is nothing to remind of.` };
  return { reply: true, changes: [timeline(card, 'Reminded of in the dashboard', context)], effects: reminder(card) };
}

export type Gift = Pick<
  CardRecord,
  'recipientName' | 'recipientEmailAddress' | 'buyerName' | 'buyerEmailAddress' | 'giftMessage' | 'giftScheduledFor'
>;

/**
 * The card becomes somebody's gift: at once, or at a moment ahead, until which it is Scheduled (gift-card.status.future-gift). Only here the
 * recipient of a card changes (gift-card.expiry-and-recipient.fixed-after-create).
 */
export function give(card: CardRecord, wanted: Gift, context: Context): Decision {
  if (card.deletedAt !== null) return deleted(card);
  const why = card.status === 'Scheduled' ? undefined : whyNotHeld(card);
  if (why !== undefined) return { no: `The card ${card.code} ${why}, so it is no gift.` };
  if (card.kind === 'store-credit') return { no: `The card ${card.code} is a store credit, which nobody can give away.` };
  const { now } = context;
  if (wanted.giftScheduledFor !== null && wanted.giftScheduledFor <= now)
    return { no: 'giftScheduledForUtc has passed; leave it out for now.' };

  // From here on it succeeds.
  const isLater = wanted.giftScheduledFor !== null;
  const given: CardRecord = {
    ...card,
    ...wanted,
    sendAsGift: true,
    shouldSendNotification: true,
    status: isLater ? 'Scheduled' : 'Active',
    updatedAt: now,
  };
  const line = `Given by ${given.buyerName} to ${given.recipientName} in the dashboard`;
  return changed(given, line, isLater ? [] : gift(given, context.behaviors), context);
}

function changed(card: CardRecord, line: string, effects: readonly Effect[], context: Context): Outcome<true> {
  return {
    reply: true,
    changes: [{ table: 'cards', put: card }, timeline(card, line, context)],
    effects: [{ kind: 'push', card }, ...effects],
  };
}

function timeline(card: CardRecord, text: string, { now }: Context): Change {
  return { table: 'timeline', put: { cardId: card.id, at: now, text } };
}

export function deleted(card: CardRecord): No {
  return { no: `The card ${card.code} was deleted.` };
}

/** Why a card holds nothing that could be spent, as part of a sentence. */
export function whyNotHeld({ status, balance, currency }: CardRecord): string | undefined {
  if (status !== 'Active') return `is ${status}`;
  return balance > 0 ? undefined : `holds ${toAmount(balance, currency)} ${currency}`;
}
