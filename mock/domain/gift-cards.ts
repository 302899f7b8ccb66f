import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import { issue, type NewCard } from './issue.ts';
import { onCreate, onVoid, suppressed } from './notifications.ts';
import type { Context, Effect, Outcome } from './outcome.ts';
import { isUsed, usingUp } from './unique-values.ts';

/** The card that a request describes. `notes` are the client's own notes. */
export type RequestedCard = Required<Pick<NewCard, 'given'>> &
  Omit<NewCard, 'given'> &
  Pick<CardRecord, 'recipientName' | 'recipientEmailAddress' | 'buyerName' | 'giftScheduledFor' | 'notes' | 'uniqueId'>;

/** Creates a card, even above the monthly allowance (limits.allowance-does-not-refuse). */
export function newGiftCard(wanted: RequestedCard, context: Context): Outcome<CardRecord> | Refusal {
  const invalid = validate(wanted, context);
  if (invalid) return invalid;
  const repeated = findRepeat(wanted, context);
  if (repeated) return usingUp(repeated, 'card', wanted.uniqueId, context);

  const origin = `Created through the API: ${context.actor}`;
  // gift-card.create.notes-record-origin, gift-card.create.takes-notes, gift-card.notes-origin-and-own-text
  const notes = wanted.notes === null ? origin : `${origin}\n${wanted.notes}`;
  const { cardInResponse, card, changes } = issue(wanted, { through: 'api', line: origin, notes }, context);
  return { response: cardInResponse, changes, effects: [{ kind: 'push', card }, ...onCreate(card, context)] };
}

/** Refuses a card that is not valid. Does not compare the card with other cards. */
function validate(wanted: RequestedCard, { now, behaviors }: Context): Refusal | undefined {
  const invalid = (what: string) => refuse('request.invalid', what);
  const { code, initialValue, expiresAt, giftScheduledFor, given } = wanted;
  const { sendAsGift = false, shouldSendNotification = false } = given;
  if (code !== null && UNPRINTABLE.test(code)) return invalid('code has control, format or separator characters');
  if (initialValue === 0 && behaviors['gift-card.create.zero-balance'] === 'refused') return invalid('balance is 0');
  if (expiresAt && expiresAt <= now && behaviors['gift-card.create.past-expiry'] === 'refused')
    return invalid('expiresAtUtc has passed');
  const isPast = giftScheduledFor !== null && giftScheduledFor <= now;
  if (isPast && sendAsGift && shouldSendNotification && behaviors['gift-card.create.gift-scheduled-in-past'] === 'refused')
    return invalid('giftScheduledForUtc has passed');
  if (sendAsGift && (shouldSendNotification || behaviors['gift-card.create.gifted-names-without-notification'] === 'needed')) {
    if (isBlank(wanted.recipientName)) return refuse('gift-card.gifted-names-missing', 'recipientName');
    if (isBlank(wanted.buyerName)) return refuse('gift-card.gifted-names-missing', 'buyerName'); // gift-card.create.gifted-needs-buyer-name
  }
  const isUnaddressed = shouldSendNotification && wanted.recipientEmailAddress === null;
  if (isUnaddressed && behaviors['gift-card.create.notification-without-address'] === 'refused')
    return invalid('recipientEmailAddress is missing');
  return undefined;
}

/** Control, format, surrogate and separator characters (gift-card.create.code-characters). */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** gift-card.create.blank-gifted-name */
function isBlank(name: string | null): boolean {
  return name === null || name.trim() === '';
}

/** Refuses a unique ID or a code that is already used (idempotency.create.repeat-with-taken-code). */
function findRepeat({ uniqueId, code }: RequestedCard, context: Context): Refusal | undefined {
  // idempotency.create.original-unchanged
  const repeat =
    uniqueId !== null && isUsed(uniqueId, 'card', context) ? refuse('gift-card.unique-id-used', uniqueId) : undefined;
  if (repeat && context.behaviors['idempotency.create.repeat-with-taken-code'] === 'unique-id') return repeat;
  if (code !== null && isTaken(code, context)) return refuse('gift-card.code-taken', code);
  return repeat;
}

/** Reports whether another card has the code, in any letter case (gift-card.create.code-letter-case, gift-card.create.code-of-deleted-card). */
export function isTaken(code: string, { state, behaviors }: Pick<Context, 'state' | 'behaviors'>): boolean {
  const owner = state.cardByCode(code, 'any');
  return owner !== undefined && !(owner.status === 'Voided' && behaviors['gift-card.create.code-of-voided-card'] === 'free');
}

/** Voids a card in any state (gift-card.void.by-code-voids, gift-card.void.by-id-voids, gift-card.void.any-state), even a voided card that an option gave a balance again. */
export function makeVoid(card: CardRecord | Refusal, context: Context, by: 'code' | 'id'): Outcome<CardRecord> | Refusal {
  if (isRefused(card)) return card;
  const isUnchanged = card.balance === 0 || context.behaviors['gift-card.void.again'] !== 'accepted';
  if (card.status === 'Voided' && isUnchanged) return voidAgain(card, context, by);
  return voiding(card, { through: 'api', line: `Voided through the API: ${context.actor}` }, context);
}

/** Voids a card for ever (gift-card.void.is-final). The card is still found (gift-card.void.still-found). `line` is added to the card's timeline. */
export function voiding(
  card: CardRecord,
  { through, line }: { readonly through: 'api' | 'merchant'; readonly line: string },
  context: Context,
): Outcome<CardRecord> {
  const { behaviors, now } = context;
  const voided: CardRecord = { ...card, status: 'Voided', balance: 0, voidedAt: now, updatedAt: now }; // gift-card.void.zeroes-balance
  return {
    response: voided,
    changes: [
      { table: 'cards', put: voided },
      ...(behaviors['gift-card.void.in-history'] === 'yes' ? [voidEntry(card, through, context)] : []),
      { table: 'timeline', put: { cardId: card.id, at: now, text: line } },
    ],
    effects: [
      { kind: 'push', card: voided }, // gift-card.void.zeroes-balance-in-channels
      ...onVoid(voided, behaviors),
      { kind: 'delivery', topic: 'giftcard/voided', card: voided }, // delivery.voided.on-void
    ],
  };
}

/** gift-card.void.again, gift-card.void.again-delivers */
function voidAgain(card: CardRecord, { behaviors }: Context, by: 'code' | 'id'): Outcome<CardRecord> | Refusal {
  const again = behaviors['gift-card.void.again'];
  if (again === 'refused') return refuse('gift-card.voided-before', card.code);
  if (again === 'not-found') return refuse('gift-card.not-found', `the ${by} ${card[by]}`);
  const isDelivered = behaviors['gift-card.void.again-delivers'] === 'yes';
  const effect: Effect = isDelivered
    ? { kind: 'delivery', topic: 'giftcard/voided', card }
    : suppressed('giftcard/voided', card, 'gift-card.void.again-delivers', 'the card was voided before');
  return { response: card, changes: [], effects: [effect] };
}

/** Returns the entry of the card's history that reduces the balance to zero. */
function voidEntry(card: CardRecord, madeThrough: 'api' | 'merchant', { now, newId }: Context): Change {
  const entry = { id: newId(), cardId: card.id, amount: 0 - card.balance, type: 'Void' as const, notes: null };
  return { table: 'adjustments', put: { ...entry, actionedAt: now, createdAt: now, uniqueAdjustmentId: null, madeThrough } };
}
