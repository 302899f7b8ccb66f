import type { Behaviors, RuleName } from '../../openapi/generated/clauses.ts';
import type { CardRecord } from '../state/records.ts';
import type { Context, Effect, EmailKind, Topic } from './outcome.ts';

/** Which emails and deliveries a card causes, and why not when it does not. */

/** On create, once the card is in the channels (emails.sent-after-channels). */
export function onCreate(card: CardRecord, { now, behaviors }: Context): Effect[] {
  if (!card.shouldSendNotification) {
    // emails.none-by-default, emails.gift-flag-alone-sends-none, gift-card.create.gift-scheduled-without-gift
    const clause = card.sendAsGift ? 'emails.gift-flag-alone-sends-none' : 'emails.none-by-default';
    return [
      suppressed('email', card, clause, 'the request did not ask for a notification'),
      isAlwaysDelivered(behaviors)
        ? delivery('giftcard/updated', card)
        : suppressed('giftcard/updated', card, 'delivery.updated.without-notification', 'no gift card notification is sent'),
    ];
  }
  // emails.gifted-deferred: the agenda brings it.
  return waitsForMoment(card, now) ? [] : onIssue(card, behaviors);
}

/** Whether a gift waits for its time (emails.gifted-deferred); giftScheduledForUtc delays nothing else (gift-card.create.gift-scheduled-without-gift). */
export function waitsForMoment(card: CardRecord, now: number): boolean {
  const { shouldSendNotification, sendAsGift, giftScheduledFor } = card;
  return shouldSendNotification && sendAsGift && giftScheduledFor !== null && giftScheduledFor > now;
}

/** What is sent of a card that asked for it, at once or at its moment (emails.notification-sent, delivery.updated.on-issue). */
export function onIssue(card: CardRecord, behaviors: Behaviors): Effect[] {
  return card.sendAsGift ? gift(card, behaviors) : sent('gift-card', 'giftcard/updated', card, isAlwaysDelivered(behaviors));
}

/** delivery.updated.without-notification */
function isAlwaysDelivered(behaviors: Behaviors): boolean {
  return behaviors['delivery.updated.without-notification'] === 'sent';
}

export function topicOnIssue(card: CardRecord): Topic {
  return card.sendAsGift ? 'giftcard/gifted' : 'giftcard/updated';
}

/** Whether an email about the card reaches anybody. */
export function isReachable(card: CardRecord): boolean {
  return whyNoEmail(card) === undefined;
}

/** The gifted email and its delivery, instead of the usual ones (emails.gifted-takes-its-place, delivery.gifted.on-gift). */
export function gift(card: CardRecord, behaviors: Behaviors): Effect[] {
  const withoutEmail = card.disableEmails && behaviors['delivery.gifted.with-emails-disabled'] === 'yes';
  const effects = sent('gifted', 'giftcard/gifted', card, withoutEmail);
  const isBeside = behaviors['delivery.updated.beside-gifted'] === 'yes' && effects.some(({ kind }) => kind === 'delivery');
  return isBeside ? [...effects, delivery('giftcard/updated', card)] : effects;
}

/** What a void sends besides giftcard/voided: no email (gift-card.void.email), and giftcard/updated by option. */
export function onVoid(card: CardRecord, behaviors: Behaviors): Effect[] {
  const email = suppressed('email', card, 'gift-card.void.email', 'a void sends no email');
  if (behaviors['gift-card.void.update-delivery'] === 'yes') return [email, delivery('giftcard/updated', card)];
  const why = 'a void is delivered as giftcard/voided alone';
  return [email, suppressed('giftcard/updated', card, 'gift-card.void.update-delivery', why)];
}

/** What the holder is told when the balance was changed elsewhere than through the API. */
export function balanceChange(card: CardRecord): Effect[] {
  return sent('balance-change', 'giftcard/updated', card);
}

/** delivery.reminder.on-reminder */
export function reminder(card: CardRecord): Effect[] {
  return sent('reminder', 'giftcard/reminder', card);
}

/** An email to the recipient and the delivery that goes with it: both or neither, unless the delivery goes `withoutEmail` as well. */
function sent(email: EmailKind, topic: Topic, card: CardRecord, withoutEmail = false): Effect[] {
  const reason = whyNoEmail(card);
  if (!reason) return [{ kind: 'email', email, card }, delivery(topic, card)];
  return [suppressed('email', card, ...reason), withoutEmail ? delivery(topic, card) : suppressed(topic, card, ...reason)];
}

function whyNoEmail(card: CardRecord): [clause: RuleName, why: string] | undefined {
  if (card.disableEmails) return ['emails.disabled-for-card', 'emails are disabled for the card'];
  if (card.recipientEmailAddress === null)
    return ['gift-card.create.notification-without-address', 'the card has no recipient address'];
  return undefined;
}

function delivery(topic: Topic, card: CardRecord): Effect {
  return { kind: 'delivery', topic, card };
}

export function suppressed(what: Topic | 'email', card: CardRecord, clause: RuleName, why: string): Effect {
  return { kind: 'suppressed', what, card, clause, why };
}
