import { format, type Minor, plus, toAmount } from '../money.ts';
import type { Context, Outcome } from '../outcome.ts';
import type { AdjustmentRecord, CardRecord } from '../records.ts';
import { type Refusal, refuse, refused } from '../refusal.ts';
import type { Change } from '../state.ts';
import { balanceChange, suppressed } from './notifications.ts';
import { statusByBalance } from './status.ts';

export interface NewAdjustment {
  /** Positive tops up, negative redeems; never zero. */
  readonly amount: Minor;
  readonly notes: string | null;
  readonly actionedAt: number;
  /** Null for one that did not come through the API. */
  readonly uniqueAdjustmentId: string | null;
}

/** By code: the balance is not looked at and may go below zero (adjustment.by-code.may-go-negative). */
export function addByCode(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const adjustable = checked(card, adjustment, context);
  return refused(adjustable) ? adjustable : add(adjustable, adjustment, context);
}

/**
 * By ID: a redemption larger than the balance is refused (adjustment.by-id.refuses-overdraw). The whole balance is not larger
 * (adjustment.by-id.takes-whole-balance); below zero every redemption is (adjustment.by-id.refuses-redemption-below-zero), and a top-up none
 * (adjustment.by-id.tops-up-below-zero).
 */
export function addById(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const adjustable = checked(card, adjustment, context);
  if (refused(adjustable)) return adjustable;
  const { balance, currency } = adjustable;
  if (adjustment.amount < 0 && -adjustment.amount > balance) {
    return refuse('adjustment.overdraw', format(balance, currency, context.settings.locale)); // adjustment.by-id.overdraw-status
  }
  return add(adjustable, adjustment, context);
}

/** The card, unless one of the refusals that all ways share stands against it. A used unique ID is one whatever the card, amount or endpoint of the repeat. */
function checked(
  card: CardRecord | Refusal,
  { amount, uniqueAdjustmentId }: NewAdjustment,
  { state }: Context,
): CardRecord | Refusal {
  if (amount === 0) return refuse('request.invalid', 'adjustmentAmount is 0'); // adjustment.zero-amount
  // idempotency.adjustment.repeat-with-other-content-refused, idempotency.adjustment.repeat-on-other-card-refused,
  // idempotency.adjustment.repeat-by-other-endpoint-refused, idempotency.adjustment.repeat-that-would-overdraw
  if (uniqueAdjustmentId !== null && state.adjustmentByUniqueId(uniqueAdjustmentId))
    return refuse('adjustment.unique-id-used', uniqueAdjustmentId);
  if (refused(card)) return card;
  if (card.deletedAt !== null) return refuse('gift-card.not-found', `the id ${card.id}`); // adjustment.deleted-card
  if (card.kind === 'voucher') return refuse('adjustment.voucher');
  // adjustment.voided-card and adjustment.expired-card; adjustment.scheduled-card and adjustment.store-credit are accepted.
  if (card.status === 'Voided') return refuse('adjustment.card-voided');
  if (card.status === 'Expired') return refuse('adjustment.card-expired');
  if (plus(card.balance, amount) === undefined || plus(card.totalIssued, Math.max(amount, 0)) === undefined) {
    return refuse('request.invalid', 'adjustmentAmount makes the balance too large'); // adjustment.largest-amount
  }
  return card;
}

/** In the dashboard: pushed like any change (channels.dashboard-changes-pushed), but told to the holder and delivered (delivery.updated.on-balance-change). */
export function addInDashboard(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const adjustable = checked(card, adjustment, context);
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
  const balance = card.balance + wanted.amount;
  const adjusted: CardRecord = {
    ...card, // gift-card.expiry-and-recipient.fixed-after-create
    balance,
    totalIssued: card.totalIssued + loaded,
    status: isWaitingOrOver(card) ? card.status : statusByBalance(balance, card.status, context.readings),
    updatedAt: now,
  };
  const adjustment: AdjustmentRecord = {
    id: context.newId(),
    cardId: card.id,
    type: wanted.amount > 0 ? 'TopUp' : 'Redemption', // adjustment.history.type-values
    createdAt: now,
    ...wanted,
  };
  const line = `Adjusted by ${toAmount(wanted.amount, card.currency)} ${card.currency}: ${context.actor}`;
  return {
    adjusted,
    changes: [
      { table: 'cards', put: adjusted },
      { table: 'adjustments', put: adjustment }, // adjustment.recorded-in-history
      { table: 'timeline', put: { cardId: card.id, at: now, text: line } },
    ],
  };
}

/** The card's adjustments, the one recorded last first (adjustment.history.newest-first, adjustment.history.order). */
export function history(
  card: CardRecord | Refusal,
  { state }: Context,
): { card: CardRecord; adjustments: AdjustmentRecord[] } | Refusal {
  // adjustment.history.issue-entry, gift-card.void.in-history: neither is an adjustment. adjustment.history.paging: all of them.
  return refused(card) ? card : { card, adjustments: state.adjustmentsOf(card.id).toReversed() };
}
