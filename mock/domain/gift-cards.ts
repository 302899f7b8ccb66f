import type { Readings } from '../../openapi/generated/clauses.ts';
import type { Context, Effect, Outcome } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { type Refusal, refuse, refused } from '../refusal.ts';
import type { Change } from '../state.ts';
import { issue } from './issue.ts';
import { onCreate, onVoid, suppressed } from './notifications.ts';

/** What a request says of the card that it wants; a code that it leaves out is made here, an expiry that it leaves out (undefined) is the account's default. */
export type NewCard = { readonly code: string | null; readonly expiresAt: number | null | undefined } & Pick<
  CardRecord,
  | 'initialValue'
  | 'recipientName'
  | 'recipientEmailAddress'
  | 'buyerName'
  | 'buyerEmailAddress'
  | 'giftMessage'
  | 'shouldSendNotification'
  | 'sendAsGift'
  | 'giftScheduledFor'
  | 'disableEmails'
  | 'isPromotional'
  | 'customField1'
  | 'customField2'
  | 'customField3'
  | 'notes'
  | 'uniqueId'
>;

/** Never refused for the allowance (limits.allowance-does-not-refuse). */
export function create(wanted: NewCard, context: Context): Outcome<CardRecord> | Refusal {
  const { state, readings } = context;
  // gift-card.create.code-characters
  if (wanted.code !== null && /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(wanted.code))
    return refuse('request.invalid', 'code has unprintable characters');
  if (wanted.initialValue === 0 && readings['gift-card.create.zero-balance'] === 'refused')
    return refuse('request.invalid', 'balance is 0');
  if (wanted.sendAsGift) {
    // gift-card.create.gifted-names-without-notification, gift-card.create.blank-gifted-name
    if (wanted.recipientName === null) return refuse('gift-card.gifted-names-missing', 'recipientName');
    if (wanted.buyerName === null) return refuse('gift-card.gifted-names-missing', 'buyerName'); // gift-card.create.gifted-needs-buyer-name
  }
  // idempotency.create.repeat-with-taken-code: the unique ID speaks first. It stays used for ever, exactly as it was sent
  // (idempotency.create.original-stands, idempotency.create.after-void, idempotency.values-kept, idempotency.values-letter-case,
  // idempotency.value-spaces).
  if (wanted.uniqueId !== null && state.cardByUniqueId(wanted.uniqueId))
    return refuse('gift-card.unique-id-used', wanted.uniqueId);
  // gift-card.create.code-letter-case, gift-card.create.code-of-voided-card, gift-card.create.code-of-deleted-card
  if (wanted.code !== null && state.cardByCode(wanted.code)) return refuse('gift-card.code-taken', wanted.code);

  // From here on it succeeds.
  const origin = `Created through the API: ${context.actor}`;
  // gift-card.create.notes-record-origin, gift-card.create.takes-notes, gift-card.notes-origin-and-own-text
  const notes = wanted.notes === null ? origin : together(origin, wanted.notes, readings);
  const { answered, card, changes } = issue(wanted, { through: 'api', line: origin, notes }, context);
  return { reply: answered, changes, effects: [{ kind: 'push', card }, ...onCreate(card, context)] };
}

/** gift-card.notes-origin-and-own-text: each on a line of its own. */
function together(origin: string, own: string, readings: Readings): string {
  return readings['gift-card.notes-origin-and-own-text'] === 'own-text-first' ? `${own}\n${origin}` : `${origin}\n${own}`;
}

/**
 * Voids any card that is found, whatever its state (gift-card.void.by-code-voids, gift-card.void.by-id-voids, gift-card.void.any-state); nothing
 * leads back (gift-card.void.is-final), and the card stays (gift-card.void.still-found).
 */
export function makeVoid(card: CardRecord | Refusal, context: Context, by: 'code' | 'id' = 'id'): Outcome<CardRecord> | Refusal {
  const { readings, now } = context;
  if (refused(card)) return card;
  // gift-card.void.deleted-card
  if (card.deletedAt !== null && (by === 'code' || readings['gift-card.void.deleted-card'] === 'never'))
    return refuse('gift-card.not-found', `the ${by} ${card[by]}`);
  if (card.status === 'Voided') return voidAgain(card, context, by);

  // From here on it succeeds.
  const voided: CardRecord = { ...card, status: 'Voided', balance: 0, updatedAt: now }; // gift-card.void.zeroes-balance
  const text = `Voided through the API: ${context.actor}`;
  return {
    reply: voided,
    changes: [
      { table: 'cards', put: voided },
      ...(readings['gift-card.void.in-history'] === 'yes' ? [takenByVoid(card, context)] : []),
      { table: 'timeline', put: { cardId: card.id, at: now, text } },
    ],
    effects: [
      { kind: 'push', card: voided }, // gift-card.void.zeroes-balance-in-channels
      ...onVoid(voided, readings),
      { kind: 'delivery', topic: 'giftcard/voided', card: voided }, // delivery.voided.on-void
    ],
  };
}

/** gift-card.void.again, gift-card.void.again-delivers */
function voidAgain(card: CardRecord, { readings }: Context, by: 'code' | 'id'): Outcome<CardRecord> | Refusal {
  const again = readings['gift-card.void.again'];
  if (again === 'refused') return refuse('gift-card.voided-before', card.code);
  if (again === 'not-found') return refuse('gift-card.not-found', `the ${by} ${card[by]}`);
  const effect: Effect =
    readings['gift-card.void.again-delivers'] === 'yes'
      ? { kind: 'delivery', topic: 'giftcard/voided', card }
      : suppressed('giftcard/voided', card, 'gift-card.void.again-delivers', 'the card was voided before');
  return { reply: card, changes: [], effects: [effect] };
}

/** The entry of the history that takes off what the card held. */
function takenByVoid(card: CardRecord, { now, newId }: Context): Change {
  const entry = { id: newId(), cardId: card.id, amount: 0 - card.balance, type: 'Void' as const, notes: null };
  return { table: 'adjustments', put: { ...entry, actionedAt: now, createdAt: now, uniqueAdjustmentId: null } };
}
