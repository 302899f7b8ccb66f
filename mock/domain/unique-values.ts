import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { UniqueKind } from '../state/records.ts';
import type { Context } from './outcome.ts';

/** Reports whether a unique value was used before. With the option `shared`, a value of the other kind counts, too (idempotency.value-spaces). */
export function isUsed(value: string, kind: UniqueKind, context: Context): boolean {
  const other = kind === 'card' ? 'adjustment' : 'card';
  return (
    isUsedAs(kind, value, context) ||
    (context.behaviors['idempotency.value-spaces'] === 'shared' && isUsedAs(other, value, context))
  );
}

function isUsedAs(kind: UniqueKind, value: string, { state, behaviors }: Context): boolean {
  if (behaviors['idempotency.refused-request'] === 'used-up' && state.isUsedByRefusal(kind, value)) return true;
  if (kind === 'adjustment') return state.adjustmentByUniqueId(value) !== undefined;
  const card = state.cardByUniqueId(value);
  return card !== undefined && !(card.status === 'Voided' && behaviors['idempotency.create.after-void'] === 'free');
}

/** Returns the refusal. With the option `used-up`, also marks the unique value of the request as used (idempotency.refused-request). */
export function usingUp(refusal: Refusal, kind: UniqueKind, value: string | null, context: Context): Refusal {
  if (context.behaviors['idempotency.refused-request'] === 'stays-free' || value === null || isUsed(value, kind, context))
    return refusal;
  return refuse(refusal.code, refusal.about, [{ table: 'refusedValues', put: { kind, value, at: context.now } }]);
}
