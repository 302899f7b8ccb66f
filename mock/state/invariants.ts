import type { Behaviors, ReasonName } from '../../openapi/generated/rules.ts';
import type { Change } from './change.ts';
import type { CardRecord } from './records.ts';
import type { Minor } from './value-types.ts';
import type { View } from './view.ts';

/**
 * Returns a function that checks each of these changes before the change is applied to `state`. If a change violates a rule, the function returns the
 * rule as a sentence. A violation is a defect of the mock. In `changes`, a card comes before its adjustments.
 */
export function invariantsOf(
  changes: readonly Change[],
  state: View,
  behaviors: Behaviors,
): (change: Change) => string | undefined {
  /** By card, the sum of the new adjustments that the balance does not include yet. */
  const sums = sumAdjustments(changes);
  return (change) => {
    if (!('put' in change)) return undefined;
    if (change.table === 'cards') {
      const card = change.put;
      const before = state.card(card.id);
      const sum = sums?.get(card.id) ?? 0;
      sums?.delete(card.id);
      return (
        balanceViolation(card, before, sum, behaviors) ??
        fixedViolation(card, before) ??
        ownerViolation(card, before, state, behaviors)
      );
    }
    if (change.table !== 'adjustments') return undefined;
    const { cardId, uniqueAdjustmentId } = change.put;
    if (sums?.delete(cardId))
      return violation('adjustment.recorded-in-history', `an adjustment did not change the balance of the card ${cardId}`);
    if (uniqueAdjustmentId === null || !state.adjustmentByUniqueId(uniqueAdjustmentId)) return undefined;
    const what = `the uniqueAdjustmentId ${uniqueAdjustmentId} has two adjustments`;
    return violation('idempotency.adjustment.refuses-repeat', what);
  };
}

/** Returns the sum of the adjustments of each card; undefined without adjustments. */
function sumAdjustments(changes: readonly Change[]): Map<string, Minor> | undefined {
  let sums: Map<string, Minor> | undefined;
  for (const change of changes) {
    if (change.table !== 'adjustments') continue;
    sums ??= new Map();
    sums.set(change.put.cardId, (sums.get(change.put.cardId) ?? 0) + change.put.amount);
  }
  return sums;
}

/** The balance is the initial value plus all adjustments. A void, and an expiry with one option, set the balance to zero (gift-card.expiry.balance). */
function balanceViolation(
  card: CardRecord,
  before: CardRecord | undefined,
  adjusted: Minor,
  behaviors: Behaviors,
): string | undefined {
  const becomes = (status: CardRecord['status']) => card.status === status && before?.status !== status;
  const isVoid = becomes('Voided');
  const mayBeZero = isVoid || (becomes('Expired') && behaviors['gift-card.expiry.balance'] === 'zeroed');
  const expected = isVoid ? 0 : (before ? before.balance : card.initialValue) + adjusted;
  if (card.balance === expected || (mayBeZero && card.balance === 0)) return undefined;
  const what = `the card ${card.id} has a balance of ${card.balance} instead of ${expected} (${card.currency}, in minor units)`;
  return violation(isVoid ? 'gift-card.void.zeroes-balance' : 'adjustment.is-relative', what);
}

/** A void is final (gift-card.void.is-final). The initial value and the currency never change. The total issued amount never decreases. */
function fixedViolation(card: CardRecord, before: CardRecord | undefined): string | undefined {
  if (!before) return undefined;
  if (before.status === 'Voided' && card.status !== 'Voided')
    return violation('gift-card.void.is-final', `the card ${card.id} was voided and is now ${card.status}`);
  if (card.initialValue !== before.initialValue || card.currency !== before.currency)
    return violation('gift-card.create.initial-value-is-balance', `the initial value or currency of the card ${card.id} changed`);
  if (card.totalIssued < before.totalIssued)
    return violation('delivery.payload.total-issued-counts-top-ups', `the total issued amount of the card ${card.id} fell`);
  return undefined;
}

/** Two cards cannot have one code, in any letter case. Two cards cannot have one unique ID. */
function ownerViolation(
  { id, code, uniqueId }: CardRecord,
  before: CardRecord | undefined,
  state: View,
  behaviors: Behaviors,
): string | undefined {
  const isOther = (owner: CardRecord | undefined, isFreeAfterVoid: boolean) =>
    owner !== undefined && owner.id !== id && !(isFreeAfterVoid && owner.status === 'Voided');
  const isCodeFree = behaviors['gift-card.create.code-of-voided-card'] === 'free';
  if (before?.code !== code && isOther(state.cardByCode(code, 'any'), isCodeFree))
    return violation('gift-card.create.refuses-taken-code', `the code ${code} has two cards`);
  if (uniqueId === null || before?.uniqueId === uniqueId) return undefined;
  if (isOther(state.cardByUniqueId(uniqueId), behaviors['idempotency.create.after-void'] === 'free'))
    return violation('idempotency.create.refuses-repeat', `the uniqueId ${uniqueId} has two cards`);
  return undefined;
}

function violation(rule: ReasonName, what: string): string {
  return `The state violates an invariant (${rule}): ${what}.`;
}
