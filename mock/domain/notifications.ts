import type { Behaviors, ReasonName } from '../../openapi/generated/rules.ts';
import type { CardRecord } from '../state/records.ts';
import type { Context, Effect, EmailKind, Topic } from './outcome.ts';

/** Returns the emails and deliveries of a new card. For an effect that is not sent, returns the reason (emails.sent-after-channels). */
export function onCreate(card: CardRecord, { now, behaviors }: Context): Effect[] {
  // A due event sends a scheduled gift (emails.gifted-deferred).
  if (card.shouldSendNotification) return waitsForTime(card, now) ? [] : onIssue(card, behaviors);
  // emails.none-by-default, emails.gift-flag-alone-sends-none, gift-card.create.gift-scheduled-without-gift
  const rule = card.sendAsGift ? 'emails.gift-flag-alone-sends-none' : 'emails.none-by-default';
  return [
    suppressed('email', card, rule, 'the request did not ask for a notification'),
    isDeliveredWithoutEmail(behaviors)
      ? delivery('giftcard/updated', card)
      : suppressed('giftcard/updated', card, 'delivery.updated.without-notification', 'no gift card notification is sent'),
  ];
}

/** Reports whether a gift is sent later (emails.gifted-deferred). Only gifts can be delayed (gift-card.create.gift-scheduled-without-gift). */
export function waitsForTime(card: CardRecord, now: number): boolean {
  const { shouldSendNotification, sendAsGift, giftScheduledFor } = card;
  return shouldSendNotification && sendAsGift && giftScheduledFor !== null && giftScheduledFor > now;
}

/** Sends the notification of a card that was created with shouldSendNotification (emails.notification-sent, delivery.updated.on-issue). */
export function onIssue(card: CardRecord, behaviors: Behaviors): Effect[] {
  if (card.sendAsGift) return gift(card, behaviors);
  return notify('gift-card', 'giftcard/updated', card, isDeliveredWithoutEmail(behaviors));
}

/** delivery.updated.without-notification */
function isDeliveredWithoutEmail(behaviors: Behaviors): boolean {
  return behaviors['delivery.updated.without-notification'] === 'sent';
}

export function topicOnIssue(card: CardRecord): Topic {
  return card.sendAsGift ? 'giftcard/gifted' : 'giftcard/updated';
}

/** Sends the gifted email and its delivery in place of the usual email and delivery (emails.gifted-takes-its-place, delivery.gifted.on-gift). */
export function gift(card: CardRecord, behaviors: Behaviors): Effect[] {
  const isDeliveredAnyway = card.disableEmails && behaviors['delivery.gifted.with-emails-disabled'] === 'yes';
  const effects = notify('gifted', 'giftcard/gifted', card, isDeliveredAnyway);
  const isUpdated = behaviors['delivery.updated.with-gifted'] === 'yes' && effects.some(({ kind }) => kind === 'delivery');
  return isUpdated ? [...effects, delivery('giftcard/updated', card)] : effects;
}

/**
 * Returns the effects of a void except giftcard/voided. A void sends no email (gift-card.void.email). With the option `yes`, a void sends
 * giftcard/updated (gift-card.void.update-delivery).
 */
export function onVoid(card: CardRecord, behaviors: Behaviors): Effect[] {
  const email = suppressed('email', card, 'gift-card.void.email', 'a void sends no email');
  if (behaviors['gift-card.void.update-delivery'] === 'yes') return [email, delivery('giftcard/updated', card)];
  const why = 'a void is delivered only as giftcard/voided';
  return [email, suppressed('giftcard/updated', card, 'gift-card.void.update-delivery', why)];
}

/** Sends the notifications after the merchant or an order has changed the balance. */
export function balanceChange(card: CardRecord): Effect[] {
  return notify('balance-change', 'giftcard/updated', card);
}

/** delivery.reminder.on-reminder */
export function reminder(card: CardRecord): Effect[] {
  return notify('reminder', 'giftcard/reminder', card);
}

/** Sends an email to the recipient, and a delivery. If no email can be sent, the delivery is sent only with `isDeliveredAnyway`. */
function notify(email: EmailKind, topic: Topic, card: CardRecord, isDeliveredAnyway = false): Effect[] {
  const reason = whyNoEmail(card);
  if (!reason) return [{ kind: 'email', email, card }, delivery(topic, card)];
  return [suppressed('email', card, ...reason), isDeliveredAnyway ? delivery(topic, card) : suppressed(topic, card, ...reason)];
}

function whyNoEmail(card: CardRecord): [rule: ReasonName, why: string] | undefined {
  if (card.disableEmails) return ['emails.disabled-for-card', 'emails are disabled for the card'];
  if (card.recipientEmailAddress === null)
    return ['gift-card.create.notification-without-address', 'the card has no recipient address'];
  return undefined;
}

function delivery(topic: Topic, card: CardRecord): Effect {
  return { kind: 'delivery', topic, card };
}

export function suppressed(what: Topic | 'email', card: CardRecord, rule: ReasonName, why: string): Effect {
  return { kind: 'suppressed', what, card, rule, why };
}
