import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Effect, EmailKind, Topic } from '../outcome.ts';
import type { CardRecord } from '../records.ts';

/** Which emails and deliveries a card causes, and why not when it does not. */

/** On create, once the card is in the channels (emails.sent-after-channels). */
export function onCreate(card: CardRecord, now: number): Effect[] {
  if (!card.shouldSendNotification) {
    // emails.none-by-default, emails.gift-flag-alone-sends-none, gift-card.create.gift-scheduled-without-gift
    const clause = card.sendAsGift ? 'emails.gift-flag-alone-sends-none' : 'emails.none-by-default';
    return [
      suppressed('email', card, clause, 'the request did not ask for a notification'),
      suppressed('giftcard/updated', card, 'delivery.updated.without-notification', 'no gift card notification is sent'),
    ];
  }
  if (!card.sendAsGift) return sent('gift-card', 'giftcard/updated', card); // emails.notification-sent, delivery.updated.on-issue
  // emails.gifted-deferred: the agenda brings it; gift-card.create.gift-scheduled-in-past: a moment that has passed is now.
  if (card.giftScheduledFor !== null && card.giftScheduledFor > now) return [];
  return gift(card);
}

/** The gifted email and its delivery, instead of the usual ones (emails.gifted-takes-its-place, delivery.updated.beside-gifted). */
export function gift(card: CardRecord): Effect[] {
  return sent('gifted', 'giftcard/gifted', card); // delivery.gifted.on-gift
}

/** What the holder is told when the balance was changed elsewhere than through the API. */
export function balanceChange(card: CardRecord): Effect[] {
  return sent('balance-change', 'giftcard/updated', card);
}

/** delivery.reminder.on-reminder */
export function reminder(card: CardRecord): Effect[] {
  return sent('reminder', 'giftcard/reminder', card);
}

/** An email to the recipient and the delivery that goes with it: both or neither (delivery.gifted.with-emails-disabled). */
function sent(email: EmailKind, topic: Topic, card: CardRecord): Effect[] {
  if (card.disableEmails) return neither(topic, card, 'emails.disabled-for-card', 'emails are disabled for the card');
  if (card.recipientEmailAddress === null) {
    return neither(topic, card, 'gift-card.create.notification-without-address', 'the card has no recipient address');
  }
  return [
    { kind: 'email', email, card },
    { kind: 'delivery', topic, card },
  ];
}

function neither(topic: Topic, card: CardRecord, clause: ClauseName, why: string): Effect[] {
  return [suppressed('email', card, clause, why), suppressed(topic, card, clause, why)];
}

export function suppressed(what: Topic | 'email', card: CardRecord, clause: ClauseName, why: string): Effect {
  return { kind: 'suppressed', what, card, clause, why };
}
