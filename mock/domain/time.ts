import type { Due } from '../due.ts';
import type { Context, Effect, Outcome } from '../outcome.ts';
import { type CardRecord, reminderMoment } from '../records.ts';
import { gift, reminder, suppressed } from './notifications.ts';
import { statusByBalance } from './status.ts';

/** What happens to a card by itself when a moment of the agenda comes; undefined when there is no reason any more. */
export function happen(due: Due, context: Context): Outcome<undefined> | undefined {
  const card = context.state.card(due.cardId);
  if (!card || card.deletedAt !== null) return undefined; // gift-card.expiry.of-deleted-card
  switch (due.kind) {
    case 'expiry':
      return expire(card, due, context);
    case 'start':
      return start(card, due, context);
    case 'gift':
      return deliverGift(card, due);
    case 'reminder':
      return remind(card, due, context);
  }
}

/**
 * At its moment (gift-card.expiry.when-noticed), whether redeemed or scheduled (gift-card.expiry.of-redeemed-card,
 * gift-card.expiry.of-scheduled-card), but not once voided (gift-card.status.voided-leaves). The balance stays (gift-card.expiry.balance).
 */
function expire(card: CardRecord, due: Due, context: Context): Outcome<undefined> | undefined {
  if (card.status === 'Voided' || card.status === 'Expired' || card.expiresAt !== due.at) return undefined;
  const expired: CardRecord = { ...card, status: 'Expired', updatedAt: context.now };
  return changed(expired, [
    { kind: 'push', card: expired }, // channels.expiry
    { kind: 'delivery', topic: 'giftcard/expired', card: expired }, // delivery.expired.on-expiry
  ]);
}

/** gift-card.status.scheduled-becomes */
function start(card: CardRecord, due: Due, context: Context): Outcome<undefined> | undefined {
  if (card.giftScheduledFor !== due.at) return undefined;
  if (card.status !== 'Scheduled') return tooLate(card);
  const started: CardRecord = { ...card, status: statusByBalance(card.balance), updatedAt: context.now };
  return changed(started, [{ kind: 'push', card: started }, ...gift(started)]);
}

/** emails.gifted-deferred */
function deliverGift(card: CardRecord, due: Due): Outcome<undefined> | undefined {
  if (!card.shouldSendNotification || !card.sendAsGift || card.giftScheduledFor !== due.at) return undefined;
  // A moment that had passed when the card was made was honoured then (gift-card.create.gift-scheduled-in-past).
  if (due.at <= card.createdAt) return undefined;
  return tooLate(card) ?? { reply: undefined, changes: [], effects: gift(card) };
}

/** A gift that waited for its moment while its card ended. */
function tooLate(card: CardRecord): Outcome<undefined> | undefined {
  if (card.status === 'Voided') return dropped(card, 'gift-card.void.waiting-gift', 'the card was voided meanwhile');
  if (card.status === 'Expired') return dropped(card, 'emails.of-expired-card', 'the card expired meanwhile');
  return undefined;
}

/** emails.reminder-when: only for a card that was not used since it was planned and still holds something. */
function remind(card: CardRecord, due: Due, { settings }: Context): Outcome<undefined> | undefined {
  if (settings.reminderAfterDays === null || reminderMoment(card, settings.reminderAfterDays) !== due.at) return undefined;
  if (card.status !== 'Active' || card.balance <= 0) return undefined;
  return { reply: undefined, changes: [], effects: reminder(card) };
}

function changed(card: CardRecord, effects: Effect[]): Outcome<undefined> {
  return { reply: undefined, changes: [{ table: 'cards', put: card }], effects };
}

function dropped(
  card: CardRecord,
  clause: 'gift-card.void.waiting-gift' | 'emails.of-expired-card',
  why: string,
): Outcome<undefined> {
  return {
    reply: undefined,
    changes: [],
    effects: [suppressed('email', card, clause, why), suppressed('giftcard/gifted', card, clause, why)],
  };
}
