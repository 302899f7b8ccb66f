import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Due } from '../account/scheduler.ts';
import { type CardRecord, reminderMoment } from '../state/records.ts';
import { canExpire, expiryNoticed } from './expiry.ts';
import { gift, onIssue, reminder, suppressed, topicOnIssue, waitsForMoment } from './notifications.ts';
import type { Context, Effect, Outcome } from './outcome.ts';
import { statusByBalance } from './status.ts';

/** What happens to a card by itself when a moment of the agenda comes; undefined when there is no reason any more. */
export function happen(due: Due, context: Context): Outcome<undefined> | undefined {
  const card = context.state.card(due.cardId);
  if (!card) return undefined;
  if (due.kind === 'expiry')
    return expiryNoticed(card, context.settings, context.behaviors) === due.at ? expire(card, context) : undefined;
  if (card.deletedAt !== null) return undefined;
  switch (due.kind) {
    case 'start':
      return start(card, due, context);
    case 'gift':
      return deliverGift(card, due, context);
    case 'reminder':
      return remind(card, due, context);
  }
}

/** Unless the card stays as it is (gift-card.expiry.of-redeemed-card, gift-card.expiry.of-scheduled-card, gift-card.status.voided-leaves). */
function expire(card: CardRecord, { now, behaviors }: Context): Outcome<undefined> | undefined {
  if (!canExpire(card, behaviors)) return undefined;
  const balance = behaviors['gift-card.expiry.balance'] === 'zeroed' ? 0 : card.balance;
  // A card that came back to life after its expiry expires then, and not before its last change.
  const expired: CardRecord = { ...card, status: 'Expired', balance, updatedAt: Math.max(now, card.updatedAt) };
  return changed(expired, [
    { kind: 'push', card: expired }, // channels.expiry
    { kind: 'delivery', topic: 'giftcard/expired', card: expired }, // delivery.expired.on-expiry
  ]);
}

/** gift-card.status.scheduled-becomes */
function start(card: CardRecord, due: Due, context: Context): Outcome<undefined> | undefined {
  if (card.giftScheduledFor !== due.at) return undefined;
  const { behaviors, now } = context;
  if (card.status !== 'Scheduled') return tooLate(card, context) ?? voidedGift(card, behaviors);
  const started: CardRecord = { ...card, status: statusByBalance(card.balance, card.status, behaviors), updatedAt: now };
  return changed(started, [{ kind: 'push', card: started }, ...gift(started, behaviors)]);
}

/** gift-card.void.waiting-gift */
function voidedGift(card: CardRecord, behaviors: Behaviors): Outcome<undefined> | undefined {
  return card.status === 'Voided' ? { reply: undefined, changes: [], effects: gift(card, behaviors) } : undefined;
}

/** emails.gifted-deferred, gift-card.create.gift-scheduled-without-gift */
function deliverGift(card: CardRecord, due: Due, context: Context): Outcome<undefined> | undefined {
  // A moment that had passed when the card was made was honoured then (gift-card.create.gift-scheduled-in-past).
  if (card.giftScheduledFor !== due.at || !waitsForMoment(card, card.createdAt)) return undefined;
  return tooLate(card, context) ?? { reply: undefined, changes: [], effects: onIssue(card, context.behaviors) };
}

/** A gift that waited for its moment while its card ended. */
function tooLate(card: CardRecord, { behaviors }: Context): Outcome<undefined> | undefined {
  if (card.status === 'Voided' && behaviors['gift-card.void.waiting-gift'] === 'dropped')
    return dropped(card, 'gift-card.void.waiting-gift', 'the card was voided meanwhile');
  if (card.status === 'Expired') return dropped(card, 'emails.of-expired-card', 'the card expired meanwhile');
  return undefined;
}

/** Only for a card that was not used since (emails.reminder-when) and still holds something. */
function remind(card: CardRecord, due: Due, { settings }: Context): Outcome<undefined> | undefined {
  if (reminderMoment(card, settings.reminderAfterDays) !== due.at) return undefined;
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
    effects: [suppressed('email', card, clause, why), suppressed(topicOnIssue(card), card, clause, why)],
  };
}
