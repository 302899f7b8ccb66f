import type { Context, Outcome } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { type Refusal, refuse, refused } from '../refusal.ts';
import { issue } from './issue.ts';
import { onCreate, suppressed } from './notifications.ts';

/** What a request says of the card that it wants; a code that it leaves out is made here. */
export type NewCard = { readonly code: string | null } & Pick<
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
  | 'expiresAt'
>;

/** Never refused for the allowance (limits.allowance-does-not-refuse). */
export function create(wanted: NewCard, context: Context): Outcome<CardRecord> | Refusal {
  const { state, now, readings } = context;
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
  const notes = wanted.notes === null ? origin : `${origin}\n${wanted.notes}`;
  const { card, changes } = issue(wanted, { through: 'api', line: origin, notes }, context);
  return { reply: card, changes, effects: [{ kind: 'push', card }, ...onCreate(card, now)] };
}

/**
 * Voids any card that is found, whatever its state (gift-card.void.by-code-voids, gift-card.void.by-id-voids, gift-card.void.any-state); nothing
 * leads back (gift-card.void.is-final), and the card stays (gift-card.void.still-found).
 */
export function makeVoid(card: CardRecord | Refusal, context: Context): Outcome<CardRecord> | Refusal {
  if (refused(card)) return card;
  if (card.status === 'Voided') {
    // gift-card.void.again, gift-card.void.again-delivers
    const effects = [suppressed('giftcard/voided', card, 'gift-card.void.again-delivers', 'the card was voided before')];
    return { reply: card, changes: [], effects };
  }

  // From here on it succeeds.
  const voided: CardRecord = { ...card, status: 'Voided', balance: 0, updatedAt: context.now }; // gift-card.void.zeroes-balance
  return {
    reply: voided,
    changes: [
      { table: 'cards', put: voided },
      {
        table: 'timeline',
        put: { cardId: card.id, at: context.now, text: `Voided through the API: ${context.actor}` },
      },
    ],
    effects: [
      { kind: 'push', card: voided }, // gift-card.void.zeroes-balance-in-channels
      suppressed('email', voided, 'gift-card.void.email', 'a void sends no email'),
      suppressed('giftcard/updated', voided, 'gift-card.void.update-delivery', 'a void is delivered as giftcard/voided alone'),
      { kind: 'delivery', topic: 'giftcard/voided', card: voided }, // delivery.voided.on-void
    ],
  };
}
