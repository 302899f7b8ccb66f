import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract/contract.ts';
import { addByCode, addById, type NewAdjustment } from '../domain/adjustments.ts';
import { time } from '../domain/calendar.ts';
import { byCode, byShownId } from '../domain/finding.ts';
import { type Entry, type History, history } from '../domain/history.ts';
import { toAmount } from '../domain/money.ts';
import type { Context } from '../domain/outcome.ts';
import { type Refusal, refused } from '../pipeline/refusal.ts';
import { amount, moment, requiredText } from './values.ts';

type ByCode = components['schemas']['AddAdjustmentByGiftCardCodeRequest'];
type ById = components['schemas']['AddAdjustmentByGiftCardIdRequest'];

export function addAdjustmentByGiftCardCode({ body }: Input, context: Context) {
  const code = requiredText('giftCardCode', (body as ByCode).giftCardCode, context.behaviors);
  if (refused(code)) return code;
  const adjustment = read(body as ByCode, context);
  if (refused(adjustment)) return adjustment;
  // adjustment.by-code.names-card-by-code, adjustment.by-code.unknown-card-is-404
  return addByCode(byCode(context.state, code), adjustment, context);
}

export function addAdjustmentByGiftCardId({ body }: Input, context: Context) {
  // A number under gift-card.response.id-form.
  const id = requiredText('giftCardId', String((body as ById).giftCardId), context.behaviors);
  if (refused(id)) return id;
  const adjustment = read(body as ById, context);
  if (refused(adjustment)) return adjustment;
  // adjustment.by-id.names-card-by-id, adjustment.by-id.unknown-card-is-404, adjustment.by-id.field
  return addById(byShownId(id, context), adjustment, context);
}

/** The sign of the amount is its meaning (adjustment.positive-tops-up, adjustment.negative-redeems, adjustment.is-relative). */
function read(body: ByCode | ById, { settings, behaviors, now }: Context): NewAdjustment | Refusal {
  // adjustment.missing-amount: where it may be left out, the contract lets it.
  const given = body.adjustmentAmount as number | null | undefined;
  const excess = behaviors['adjustment.excess-decimals'];
  const minor = given === undefined || given === null ? null : amount('adjustmentAmount', given, settings.currency, excess);
  if (refused(minor)) return minor;
  const saidAt = moment('actionedAtUtc', body.actionedAtUtc);
  const actionedAt = refused(saidAt) && behaviors['adjustment.unreadable-actioned-at'] === 'accepted' ? now : saidAt;
  if (refused(actionedAt)) return actionedAt;
  const uniqueAdjustmentId = requiredText('uniqueAdjustmentId', body.uniqueAdjustmentId, behaviors);
  if (refused(uniqueAdjustmentId)) return uniqueAdjustmentId;
  const notes = body.notes ?? null; // adjustment.notes-are-optional
  return { amount: minor, notes, actionedAt: actionedAt as number, uniqueAdjustmentId, madeThrough: 'api' };
}

/** adjustment.history.unknown-code-is-404 */
export function listAdjustmentsByGiftCardCode({ parameters }: Input, context: Context) {
  return shown(history(byCode(context.state, parameters.code as string), context), context);
}

/** adjustment.history.unknown-id-is-404 */
export function listAdjustmentsByGiftCardId({ parameters }: Input, context: Context) {
  return shown(history(byShownId(parameters.giftCardId as string, context), context), context);
}

function shown(result: History | Refusal, context: Context) {
  if (refused(result)) return result;
  const { card, entries, totalCount } = result;
  const adjustments = entries.map((entry) => view(entry, card.currency));
  const whole = { giftCard: context.write(card), adjustments };
  return { reply: totalCount === undefined ? whole : { ...whole, totalCount }, changes: [], effects: [] };
}

/** adjustment.keeps-actioned-at, adjustment.keeps-notes */
function view(entry: Entry, currency: string): components['schemas']['Adjustment'] {
  return {
    amount: toAmount(entry.amount, currency),
    type: entry.type,
    notes: entry.notes,
    actionedAtUtc: time(entry.actionedAt),
    createdAtUtc: time(entry.createdAt),
  };
}
