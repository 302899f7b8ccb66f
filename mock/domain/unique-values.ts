import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { UniqueKind } from '../state/records.ts';
import type { Context } from './outcome.ts';

/** Whether the account has used a uniqueId or a uniqueAdjustmentId up; whether one uses up the other is idempotency.value-spaces. */
export function isUsed(value: string, kind: UniqueKind, context: Context): boolean {
  const other = kind === 'card' ? 'adjustment' : 'card';
  return (
    isUsedAs(kind, value, context) ||
    (context.behaviors['idempotency.value-spaces'] === 'shared' && isUsedAs(other, value, context))
  );
}

function isUsedAs(kind: UniqueKind, value: string, context: Context): boolean {
  const { state, behaviors } = context;
  if (behaviors['idempotency.refused-request'] === 'used-up' && state.isUsedByRefusal(kind, value)) return true;
  if (kind === 'adjustment') return state.adjustmentByUniqueId(value) !== undefined;
  const card = state.cardByUniqueId(value);
  return card !== undefined && !(card.status === 'Voided' && behaviors['idempotency.create.after-void'] === 'free');
}

/** An event's key as it is kept: with the recipient where a repeat for another one is none (idempotency.automation.other-recipient). */
export function keptKey(key: string, recipient: string | null, { behaviors }: Context): string {
  return behaviors['idempotency.automation.other-recipient'] === 'no' ? `${key} ${recipient?.toLowerCase() ?? ''}` : key;
}

/** The refusal of a request, which uses up the request's unique value where refused requests do (idempotency.refused-request). */
export function usingUp(refusal: Refusal, kind: UniqueKind, value: string | null, context: Context): Refusal {
  if (context.behaviors['idempotency.refused-request'] === 'stays-free' || value === null || isUsed(value, kind, context))
    return refusal;
  return refuse(refusal.code, refusal.about, [{ table: 'refusedValues', put: { kind, value, at: context.now } }]);
}
