import type { components } from '../../openapi/generated/types.ts';
import {
  type AdjustmentHistory,
  addByCode,
  addById,
  adjustmentHistory,
  type HistoryEntry,
  type NewAdjustment,
} from '../domain/adjustments.ts';
import { formatTime } from '../domain/dates.ts';
import { cardByCode, cardById } from '../domain/finding.ts';
import { toAmount } from '../domain/money.ts';
import type { Context } from '../domain/outcome.ts';
import { isRefused, type Refusal } from '../pipeline/refusal.ts';
import type { OperationInput } from './operation-types.ts';
import { amount, parseRequiredTime, requiredText, respondWith } from './values.ts';

export function addAdjustmentByGiftCardCode({ body }: OperationInput<'addAdjustmentByGiftCardCode'>, context: Context) {
  const code = requiredText('giftCardCode', body.giftCardCode, context.behaviors);
  if (isRefused(code)) return code;
  const adjustment = parse(body, context);
  if (isRefused(adjustment)) return adjustment;
  // adjustment.by-code.names-card-by-code, adjustment.by-code.unknown-card-is-404
  return addByCode(cardByCode(context.state, code), adjustment, context);
}

export function addAdjustmentByGiftCardId({ body }: OperationInput<'addAdjustmentByGiftCardId'>, context: Context) {
  const id = requiredText('giftCardId', body.giftCardId, context.behaviors);
  if (isRefused(id)) return id;
  const adjustment = parse(body, context);
  if (isRefused(adjustment)) return adjustment;
  // adjustment.by-id.names-card-by-id, adjustment.by-id.unknown-card-is-404
  return addById(cardById(id, context), adjustment, context);
}

type AddAdjustment = OperationInput<'addAdjustmentByGiftCardCode' | 'addAdjustmentByGiftCardId'>['body'];

/** Converts an adjustment with a signed amount (adjustment.positive-tops-up, adjustment.negative-redeems, adjustment.is-relative). */
function parse(body: AddAdjustment, { settings, behaviors }: Context): NewAdjustment | Refusal {
  const minor = amount('adjustmentAmount', body.adjustmentAmount, settings.currency, behaviors['adjustment.excess-decimals']);
  if (isRefused(minor)) return minor;
  const actionedAt = parseRequiredTime('actionedAtUtc', body.actionedAtUtc);
  if (isRefused(actionedAt)) return actionedAt;
  const uniqueAdjustmentId = requiredText('uniqueAdjustmentId', body.uniqueAdjustmentId, behaviors);
  if (isRefused(uniqueAdjustmentId)) return uniqueAdjustmentId;
  const notes = body.notes ?? null; // adjustment.notes-are-optional
  return { amount: minor, notes, actionedAt, uniqueAdjustmentId, madeThrough: 'api' };
}

/** adjustment.history.unknown-code-is-404 */
export function listAdjustmentsByGiftCardCode({ parameters }: OperationInput<'listAdjustmentsByGiftCardCode'>, context: Context) {
  return readHistory(adjustmentHistory(cardByCode(context.state, parameters.code), context), context);
}

/** adjustment.history.unknown-id-is-404 */
export function listAdjustmentsByGiftCardId({ parameters }: OperationInput<'listAdjustmentsByGiftCardId'>, context: Context) {
  return readHistory(adjustmentHistory(cardById(parameters.giftCardId, context), context), context);
}

function readHistory(result: AdjustmentHistory | Refusal, context: Context) {
  if (isRefused(result)) return result;
  const { card, entries } = result;
  const adjustments = entries.map((entry) => entryView(entry, card.currency));
  return respondWith({ giftCard: context.render(card), adjustments });
}

/** adjustment.keeps-actioned-at, adjustment.keeps-notes */
function entryView(entry: HistoryEntry, currency: string): components['schemas']['Adjustment'] {
  return {
    amount: toAmount(entry.amount, currency),
    type: entry.type,
    notes: entry.notes,
    actionedAtUtc: formatTime(entry.actionedAt),
    createdAtUtc: formatTime(entry.createdAt),
  };
}
