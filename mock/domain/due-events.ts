import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { Settings } from '../account/settings.ts';
import type { CardRecord } from '../state/records.ts';
import type { Timestamp } from '../state/value-types.ts';
import { DAY, endOfLocalDay, LAST_TIME } from './dates.ts';
import { gift, onIssue, reminder, suppressed, topicOnIssue, waitsForTime } from './notifications.ts';
import type { Context, Decision, Effect } from './outcome.ts';
import { statusByBalance } from './status.ts';

/** An event that the clock causes: an expiry, the start or the delivery of a scheduled gift, or a balance reminder. */
export interface Due {
  readonly at: Timestamp;
  readonly kind: 'expiry' | 'gift' | 'reminder' | 'start';
  readonly cardId: string;
}

/** Returns the account's default expiry for a new card (gift-card.create.default-expiry-applies, gift-card.create.no-default-expiry-never-expires). */
export function defaultExpiry(now: number, { defaultExpiryDays: days, timeZone }: Settings, behaviors: Behaviors): number | null {
  if (days === null) return null;
  if (behaviors['gift-card.create.default-expiry-counting'] === 'end-of-day') return endOfLocalDay(now, days, timeZone);
  return Math.min(now + days * DAY, LAST_TIME);
}

/** Returns the time at which the service expires a card (gift-card.expiry.when-noticed); null for a card without expiry. */
export function expiryTime(card: CardRecord, { timeZone }: Settings, behaviors: Behaviors): number | null {
  if (card.expiresAt === null) return null;
  if (behaviors['gift-card.expiry.when-noticed'] === 'on-time') return card.expiresAt;
  // The option `daily` expires cards at the first midnight after their expiry.
  const at = endOfLocalDay(Math.max(card.expiresAt, card.createdAt) - 1, 0, timeZone) + 1;
  return at <= LAST_TIME ? at : null;
}

/** Returns the time of a card's balance reminder (emails.reminder-when); null for never. `days` is the account's setting. */
export function reminderTime({ updatedAt }: CardRecord, days: number | null): number | null {
  const at = days === null ? Number.POSITIVE_INFINITY : updatedAt + days * DAY;
  return at <= LAST_TIME ? at : null;
}

/** Decides on a due event. If the card has changed and the event no longer applies, returns undefined. */
export function decideDueEvent(due: Due, context: Context): Decision | undefined {
  const card = context.state.card(due.cardId);
  if (!card || card.deletedAt !== null) return undefined; // gift-card.expiry.of-deleted-card
  switch (due.kind) {
    case 'expiry':
      return expire(card, due, context);
    case 'start':
      return start(card, due, context);
    case 'gift':
      return deliverGift(card, due, context);
    case 'reminder':
      return remind(card, due, context);
  }
}

function expire(card: CardRecord, due: Due, { now, settings, behaviors }: Context): Decision | undefined {
  if (expiryTime(card, settings, behaviors) !== due.at || !canExpire(card, behaviors)) return undefined;
  const balance = behaviors['gift-card.expiry.balance'] === 'zeroed' ? 0 : card.balance;
  // If a card became Active again after its expiry, the card expires at its last change.
  const expired: CardRecord = { ...card, status: 'Expired', balance, updatedAt: Math.max(now, card.updatedAt) };
  return changed(expired, [
    { kind: 'push', card: expired }, // channels.expiry
    { kind: 'delivery', topic: 'giftcard/expired', card: expired }, // delivery.expired.on-expiry
  ]);
}

function canExpire({ status }: CardRecord, behaviors: Behaviors): boolean {
  switch (status) {
    case 'Active':
      return true;
    case 'Redeemed':
      return behaviors['gift-card.expiry.of-redeemed-card'] === 'expires';
    case 'Scheduled':
      return behaviors['gift-card.expiry.of-scheduled-card'] === 'expires';
    case 'Voided': // gift-card.status.voided-leaves
    case 'Expired':
      return false;
  }
}

/** gift-card.status.scheduled-becomes */
function start(card: CardRecord, due: Due, context: Context): Decision | undefined {
  if (card.giftScheduledFor !== due.at) return undefined;
  const { behaviors, now } = context;
  if (card.status === 'Scheduled') {
    const started: CardRecord = { ...card, status: statusByBalance(card.balance, card.status, behaviors), updatedAt: now };
    return changed(started, [{ kind: 'push', card: started }, ...gift(started, behaviors)]);
  }
  return dropGift(card, behaviors) ?? (card.status === 'Voided' ? send(gift(card, behaviors)) : undefined);
}

/** emails.gifted-deferred, gift-card.create.gift-scheduled-without-gift */
function deliverGift(card: CardRecord, due: Due, { behaviors }: Context): Decision | undefined {
  // If the gift's time had already passed at the creation of the card, Create sent the gift (gift-card.create.gift-scheduled-in-past).
  if (card.giftScheduledFor !== due.at || !waitsForTime(card, card.createdAt)) return undefined;
  return dropGift(card, behaviors) ?? send(onIssue(card, behaviors));
}

/** Drops the gift if its card was voided or expired before the gift's time. If the gift must be sent, returns undefined. */
function dropGift(card: CardRecord, behaviors: Behaviors): Decision | undefined {
  const drop = (rule: 'gift-card.void.waiting-gift' | 'emails.of-expired-card', why: string) =>
    send([suppressed('email', card, rule, why), suppressed(topicOnIssue(card), card, rule, why)]);
  if (card.status === 'Voided' && behaviors['gift-card.void.waiting-gift'] === 'dropped')
    return drop('gift-card.void.waiting-gift', 'the card was voided before the time of its gift');
  return card.status === 'Expired' ? drop('emails.of-expired-card', 'the card expired before the time of its gift') : undefined;
}

/** Sends a balance reminder if the card is Active, has a balance, and was not used after the reminder was planned (emails.reminder-when). */
function remind(card: CardRecord, due: Due, { settings }: Context): Decision | undefined {
  if (reminderTime(card, settings.reminderAfterDays) !== due.at) return undefined;
  return card.status === 'Active' && card.balance > 0 ? send(reminder(card)) : undefined;
}

function changed(card: CardRecord, effects: readonly Effect[]): Decision {
  return { changes: [{ table: 'cards', put: card }], effects };
}

function send(effects: readonly Effect[]): Decision {
  return { changes: [], effects };
}
