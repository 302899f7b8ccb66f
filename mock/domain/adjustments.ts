import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import type { AdjustmentRecord, CardRecord } from '../state/records.ts';
import { format, type Minor, plus, toAmount } from './money.ts';
import { balanceChange, suppressed } from './notifications.ts';
import type { Context, Outcome } from './outcome.ts';
import { statusByBalance } from './status.ts';
import { isUsed, usingUp } from './unique-values.ts';

export interface NewAdjustment {
  /** Positive tops up, negative redeems. */
  readonly amount: Minor;
  readonly notes: string | null;
  readonly actionedAt: number;
  /** Null for one that did not come through the API. */
  readonly uniqueAdjustmentId: string | null;
  readonly madeThrough: AdjustmentRecord['madeThrough'];
}

/** By code: the balance is not looked at and may go below zero (adjustment.by-code.may-go-negative). */
export function addByCode(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const objected = objection(adjustment, context);
  if (objected) return objected;
  const adjustable = checked(card, adjustment, context);
  return refused(adjustable) ? leaving(adjustable, adjustment, context) : add(adjustable, adjustment, context);
}

/**
 * By ID: a redemption larger than the balance is refused (adjustment.by-id.refuses-overdraw). The whole balance is not larger
 * (adjustment.by-id.takes-whole-balance); below zero every redemption is (adjustment.by-id.refuses-redemption-below-zero), and a top-up none
 * (adjustment.by-id.tops-up-below-zero).
 */
export function addById(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const objected = objection(adjustment, context);
  if (objected) return objected;
  const adjustable = checked(card, adjustment, context);
  const overdraw = refused(card) ? undefined : overdrawOf(card, adjustment, context);
  if (!refused(adjustable)) return overdraw ? leaving(overdraw, adjustment, context) : add(adjustable, adjustment, context);
  const isRepeat = adjustable.code === 'adjustment.unique-id-used';
  if (isRepeat && overdraw && context.behaviors['idempotency.adjustment.repeat-that-would-overdraw'] === 'balance')
    return overdraw;
  return leaving(adjustable, adjustment, context);
}

/** adjustment.by-id.overdraw-status */
function overdrawOf({ balance, currency }: CardRecord, adjustment: NewAdjustment, { settings }: Context): Refusal | undefined {
  const { amount } = adjustment;
  return amount < 0 && -amount > balance ? refuse('adjustment.overdraw', format(balance, currency, settings.locale)) : undefined;
}

function leaving(refusal: Refusal, { uniqueAdjustmentId }: NewAdjustment, context: Context): Refusal {
  return usingUp(refusal, 'adjustment', uniqueAdjustmentId, context);
}

/** What is wrong with the adjustment, whatever the card. */
function objection({ amount, actionedAt }: NewAdjustment, { behaviors, now }: Context): Refusal | undefined {
  if (amount === 0 && behaviors['adjustment.zero-amount'] === 'refused')
    return refuse('request.invalid', 'adjustmentAmount is 0');
  if (actionedAt > now && behaviors['adjustment.future-actioned-at'] === 'refused')
    return refuse('request.invalid', 'actionedAtUtc is still to come');
  return undefined;
}

/** The card, unless one of the refusals that all ways share stands against it. A used unique ID is one whatever the card, amount or endpoint of the repeat. */
function checked(
  card: CardRecord | Refusal,
  { amount, uniqueAdjustmentId }: NewAdjustment,
  context: Context,
): CardRecord | Refusal {
  const { behaviors } = context;
  // idempotency.adjustment.repeat-with-other-content-refused, idempotency.adjustment.repeat-on-other-card-refused,
  // idempotency.adjustment.repeat-by-other-endpoint-refused
  if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))
    return refuse('adjustment.unique-id-used', uniqueAdjustmentId);
  if (refused(card)) return card;
  // adjustment.deleted-card
  if (card.deletedAt !== null) return refuse('gift-card.not-found', `the id ${card.id}`);
  return ended(card, behaviors) ?? (isTooLarge(card, amount) ? TOO_LARGE : card);
}

const TOO_LARGE = refuse('request.invalid', 'adjustmentAmount makes the balance too large'); // adjustment.largest-amount

function isTooLarge({ balance, totalIssued }: CardRecord, amount: Minor): boolean {
  return plus(balance, amount) === undefined || plus(totalIssued, Math.max(amount, 0)) === undefined;
}

/** Why a card of this kind and in this state is not adjusted. */
function ended(card: CardRecord, behaviors: Behaviors): Refusal | undefined {
  if (card.kind === 'voucher') return refuse('adjustment.voucher');
  if (card.kind === 'store-credit' && behaviors['adjustment.store-credit'] === 'refused')
    return refuse('adjustment.store-credit');
  if (card.status === 'Voided' && behaviors['adjustment.voided-card'] !== 'accepted') return refuse('adjustment.card-voided');
  if (card.status === 'Expired' && behaviors['adjustment.expired-card'] !== 'accepted') return refuse('adjustment.card-expired');
  if (card.status === 'Scheduled' && behaviors['adjustment.scheduled-card'] === 'refused')
    return refuse('adjustment.card-scheduled');
  return undefined;
}

/** In the dashboard: pushed like any change (channels.dashboard-changes-pushed), but told to the holder and delivered (delivery.updated.on-balance-change). */
export function addInDashboard(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const adjustable = objection(adjustment, context) ?? checked(card, adjustment, context);
  if (refused(adjustable)) return adjustable;
  const { adjusted, changes } = record(adjustable, adjustment, context);
  return { reply: true, changes, effects: [{ kind: 'push', card: adjusted }, ...balanceChange(adjusted)] };
}

function add(card: CardRecord, wanted: NewAdjustment, context: Context): Outcome<true> {
  const { adjusted, changes } = record(card, wanted, context);
  return {
    reply: true,
    changes,
    effects: [
      { kind: 'push', card: adjusted }, // adjustment.pushed-to-channels
      suppressed('email', adjusted, 'adjustment.sends-no-email', 'the adjustment came through the API'),
      suppressed('giftcard/updated', adjusted, 'adjustment.delivers-no-update', 'the adjustment came through the API'),
    ],
  };
}

/** A scheduled card stays so until its moment, and an adjustment brings back none that has ended. */
function isWaitingOrOver({ status }: CardRecord): boolean {
  return status === 'Scheduled' || status === 'Voided' || status === 'Expired';
}

/** The card with its new balance, and what is written of it; `loaded` is how much of the amount was never on the card before. */
export function record(
  card: CardRecord,
  wanted: NewAdjustment,
  context: Context,
  loaded: Minor = Math.max(wanted.amount, 0), // delivery.payload.total-issued-counts-top-ups
): { adjusted: CardRecord; changes: Change[] } {
  const { now } = context;
  const { amount } = wanted;
  const balance = card.balance + amount;
  const adjusted: CardRecord = {
    ...card, // gift-card.expiry-and-recipient.fixed-after-create
    balance,
    totalIssued: card.totalIssued + loaded,
    status: isWaitingOrOver(card) ? card.status : statusByBalance(balance, card.status, context.behaviors),
    updatedAt: now,
  };
  const adjustment: AdjustmentRecord = {
    id: context.newId(),
    cardId: card.id,
    type: amount < 0 ? 'Redemption' : 'TopUp', // adjustment.history.type-values
    createdAt: now,
    ...wanted,
  };
  const line = `Adjusted by ${toAmount(amount, card.currency)} ${card.currency}: ${context.actor}`;
  return {
    adjusted,
    changes: [
      { table: 'cards', put: adjusted },
      { table: 'adjustments', put: adjustment }, // adjustment.recorded-in-history
      { table: 'timeline', put: { cardId: card.id, at: now, text: line } },
    ],
  };
}
