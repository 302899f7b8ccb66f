import type { Behaviors } from '../../openapi/generated/rules.ts';
import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { Change } from '../state/change.ts';
import type { AdjustmentRecord, CardRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { format, plus, toAmount } from './money.ts';
import { balanceChange, suppressed } from './notifications.ts';
import type { Context, Decision, Outcome } from './outcome.ts';
import { statusByBalance } from './status.ts';
import { isUsed, usingUp } from './unique-values.ts';

export type NewAdjustment = Pick<AdjustmentRecord, 'amount' | 'notes' | 'actionedAt' | 'uniqueAdjustmentId' | 'madeThrough'>;

/** Adds an adjustment by code. The balance may become negative (adjustment.by-code.may-go-negative). */
export function addByCode(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const invalid = validate(adjustment, context);
  if (invalid) return invalid;
  const adjustable = check(card, adjustment, context);
  return isRefused(adjustable) ? reject(adjustable, adjustment, context) : add(adjustable, adjustment, context);
}

/**
 * Adds an adjustment by ID. Refuses a redemption larger than the balance (adjustment.by-id.refuses-overdraw). Accepts a redemption of the whole balance
 * (adjustment.by-id.takes-whole-balance). If the balance is below zero, refuses every redemption (adjustment.by-id.refuses-redemption-below-zero), but
 * accepts top-ups (adjustment.by-id.tops-up-below-zero).
 */
export function addById(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): Outcome<true> | Refusal {
  const invalid = validate(adjustment, context);
  if (invalid) return invalid;
  const adjustable = check(card, adjustment, context);
  const overdraw = isRefused(card) ? undefined : findOverdraw(card, adjustment, context);
  if (!isRefused(adjustable)) return overdraw ? reject(overdraw, adjustment, context) : add(adjustable, adjustment, context);
  const isRepeat = adjustable.code === 'adjustment.unique-id-used';
  if (isRepeat && overdraw && context.behaviors['idempotency.adjustment.repeat-that-would-overdraw'] === 'balance')
    return overdraw;
  return reject(adjustable, adjustment, context);
}

/** adjustment.by-id.overdraw-status */
function findOverdraw({ balance, currency }: CardRecord, { amount }: NewAdjustment, { settings }: Context): Refusal | undefined {
  if (amount >= 0 || -amount <= balance) return undefined;
  return refuse('adjustment.overdraw', format(balance, currency, settings.locale));
}

function reject(refusal: Refusal, { uniqueAdjustmentId }: NewAdjustment, context: Context): Refusal {
  return usingUp(refusal, 'adjustment', uniqueAdjustmentId, context);
}

/** Checks the adjustment without its card. Refuses an amount or a time that no card allows. */
function validate({ amount, actionedAt }: NewAdjustment, { behaviors, now }: Context): Refusal | undefined {
  if (amount === 0 && behaviors['adjustment.zero-amount'] === 'refused')
    return refuse('request.invalid', 'adjustmentAmount is 0');
  if (actionedAt > now && behaviors['adjustment.future-actioned-at'] === 'refused')
    return refuse('request.invalid', 'actionedAtUtc is in the future');
  return undefined;
}

/** Returns the card if the adjustment is allowed, or a refusal. A repeated unique ID is refused first, even for another card or amount. */
function check(card: CardRecord | Refusal, adjustment: NewAdjustment, context: Context): CardRecord | Refusal {
  const { amount, uniqueAdjustmentId } = adjustment;
  // idempotency.adjustment.repeat-with-other-content-refused, idempotency.adjustment.repeat-on-other-card-refused,
  // idempotency.adjustment.repeat-by-other-endpoint-refused
  if (uniqueAdjustmentId !== null && isUsed(uniqueAdjustmentId, 'adjustment', context))
    return refuse('adjustment.unique-id-used', uniqueAdjustmentId);
  if (isRefused(card)) return card;
  if (card.deletedAt !== null) return refuse('gift-card.not-found', `the id ${card.id}`); // adjustment.deleted-card
  return whyNotAdjustable(card, context.behaviors) ?? (isTooLarge(card, amount) ? TOO_LARGE : card);
}

const TOO_LARGE = refuse('request.invalid', 'adjustmentAmount makes the balance too large'); // adjustment.largest-amount

function isTooLarge({ balance, totalIssued }: CardRecord, amount: Minor): boolean {
  return plus(balance, amount) === undefined || plus(totalIssued, Math.max(amount, 0)) === undefined;
}

function whyNotAdjustable({ kind, status }: CardRecord, behaviors: Behaviors): Refusal | undefined {
  if (kind === 'voucher') return refuse('adjustment.voucher');
  if (kind === 'store-credit' && behaviors['adjustment.store-credit'] === 'refused') return refuse('adjustment.store-credit');
  if (status === 'Voided' && behaviors['adjustment.voided-card'] !== 'accepted') return refuse('adjustment.card-voided');
  if (status === 'Expired' && behaviors['adjustment.expired-card'] !== 'accepted') return refuse('adjustment.card-expired');
  if (status === 'Scheduled' && behaviors['adjustment.scheduled-card'] === 'refused') return refuse('adjustment.card-scheduled');
  return undefined;
}

/**
 * Adds an adjustment and notifies the recipient (channels.merchant-changes-pushed, delivery.updated.on-balance-change). An adjustment through the API
 * does not notify the recipient.
 */
export function addByMerchant(card: CardRecord, adjustment: NewAdjustment, context: Context): Decision | Refusal {
  const adjustable = validate(adjustment, context) ?? check(card, adjustment, context);
  return isRefused(adjustable) ? adjustable : recordAndNotify(adjustable, adjustment, context);
}

/** Records an adjustment and notifies the recipient. `loaded` is the amount to add to the card's total issued amount. */
export function recordAndNotify(card: CardRecord, adjustment: NewAdjustment, context: Context, loaded?: Minor): Decision {
  const { adjusted, changes } = record(card, adjustment, context, loaded);
  return { changes, effects: [{ kind: 'push', card: adjusted }, ...balanceChange(adjusted)] };
}

function add(card: CardRecord, adjustment: NewAdjustment, context: Context): Outcome<true> {
  const { adjusted, changes } = record(card, adjustment, context);
  return {
    response: true,
    changes,
    effects: [
      { kind: 'push', card: adjusted }, // adjustment.pushed-to-channels
      suppressed('email', adjusted, 'adjustment.sends-no-email', 'the adjustment came through the API'),
      suppressed('giftcard/updated', adjusted, 'adjustment.delivers-no-update', 'the adjustment came through the API'),
    ],
  };
}

/** Returns the card with its new balance, and the changes. `loaded` is the amount that the adjustment adds to the card's total issued amount. */
function record(
  card: CardRecord,
  adjustment: NewAdjustment,
  context: Context,
  loaded: Minor = Math.max(adjustment.amount, 0), // delivery.payload.total-issued-counts-top-ups
): { adjusted: CardRecord; changes: Change[] } {
  const { now, actor, behaviors } = context;
  const { amount } = adjustment;
  const balance = card.balance + amount;
  const keepsStatus = card.status === 'Scheduled' || card.status === 'Voided' || card.status === 'Expired';
  const adjusted: CardRecord = {
    ...card, // gift-card.expiry-and-recipient.fixed-after-create
    balance,
    totalIssued: card.totalIssued + loaded,
    status: keepsStatus ? card.status : statusByBalance(balance, card.status, behaviors),
    updatedAt: now,
  };
  const put: AdjustmentRecord = {
    id: context.newId(),
    cardId: card.id,
    type: amount < 0 ? 'Redemption' : 'TopUp', // adjustment.history.type-values
    createdAt: now,
    ...adjustment,
  };
  const text = `Adjusted by ${toAmount(amount, card.currency)} ${card.currency}: ${actor}`;
  return {
    adjusted,
    changes: [
      { table: 'cards', put: adjusted },
      { table: 'adjustments', put }, // adjustment.recorded-in-history
      { table: 'timeline', put: { cardId: card.id, at: now, text } },
    ],
  };
}

export type HistoryEntry = Pick<AdjustmentRecord, 'amount' | 'notes' | 'actionedAt' | 'createdAt'> & { readonly type: string };

export interface AdjustmentHistory {
  readonly card: CardRecord;
  readonly entries: readonly HistoryEntry[];
}

/** Returns the card's adjustments, newest first (adjustment.history.newest-first). */
export function adjustmentHistory(card: CardRecord | Refusal, { state, behaviors }: Context): AdjustmentHistory | Refusal {
  if (isRefused(card)) return card;
  const entries = state
    .adjustmentsOf(card.id)
    .map((adjustment): HistoryEntry => ({ ...adjustment, type: typeOf(adjustment, behaviors) }));
  if (behaviors['adjustment.history.issue-entry'] === 'yes') entries.unshift(issueEntry(card, behaviors));
  entries.reverse(); // adjustment.history.order
  if (behaviors['adjustment.history.order'] === 'actioned') entries.sort((one, other) => other.actionedAt - one.actionedAt);
  return { card, entries };
}

/** adjustment.history.type-values */
function typeOf({ type, madeThrough }: AdjustmentRecord, behaviors: Behaviors): string {
  return behaviors['adjustment.history.type-values'] === 'by-source' ? SOURCES[madeThrough] : type;
}

const SOURCES = { api: 'Api', automation: 'Automation', merchant: 'Dashboard', order: 'Order' };

/** adjustment.history.issue-entry */
function issueEntry({ initialValue, createdAt, issuedThrough }: CardRecord, behaviors: Behaviors): HistoryEntry {
  const type = behaviors['adjustment.history.type-values'] === 'by-source' ? SOURCES[issuedThrough] : 'TopUp';
  return { amount: initialValue, type, notes: null, actionedAt: createdAt, createdAt };
}
