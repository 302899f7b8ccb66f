import type { Behaviors, RuleName } from '../../openapi/generated/clauses.ts';
import type { Change } from './change.ts';
import type { AdjustmentRecord, CardRecord } from './records.ts';
import type { Minor } from './value-types.ts';
import type { View } from './view.ts';

/**
 * Rules that every change of the state must satisfy. A violation is a defect of the mock, and is logged where it arises. Each change is checked before
 * it is applied, so the time it takes does not depend on the number of cards.
 */
export class Invariants {
  readonly #state: View;
  readonly #behaviors: Behaviors;
  /** The adjustments of each card that its balance does not include yet. */
  readonly #sums: Map<string, Minor> | undefined;

  constructor(changes: readonly Change[], state: View, behaviors: Behaviors) {
    this.#state = state;
    this.#behaviors = behaviors;
    this.#sums = sumAdjustments(changes);
  }

  /** The rule that a change violates, in a sentence. Earlier changes must have been applied; a card precedes its adjustments. */
  violationOf(change: Change): string | undefined {
    if (!('put' in change)) return undefined;
    switch (change.table) {
      case 'cards': {
        const card = change.put;
        const before = this.#state.card(card.id);
        const sum = this.#sums?.get(card.id) ?? 0;
        this.#sums?.delete(card.id);
        return (
          balanceViolation(card, before, sum, this.#behaviors) ??
          fixedViolation(card, before) ??
          this.#ownerViolation(card, before)
        );
      }
      case 'adjustments':
        return this.#adjustmentViolation(change.put);
      case 'listings': {
        const { cardId } = change.put;
        if (this.#state.card(cardId)) return undefined;
        return violation('channels.api-changes-pushed', `a channel lists the card ${cardId}, which does not exist`);
      }
      default:
        return undefined;
    }
  }

  #adjustmentViolation({ cardId, uniqueAdjustmentId }: AdjustmentRecord): string | undefined {
    if (this.#sums?.delete(cardId))
      return violation('adjustment.recorded-in-history', `an adjustment did not change the balance of the card ${cardId}`);
    if (uniqueAdjustmentId === null || !this.#state.adjustmentByUniqueId(uniqueAdjustmentId)) return undefined;
    const what = `the uniqueAdjustmentId ${uniqueAdjustmentId} has two adjustments`;
    return violation('idempotency.adjustment.refuses-repeat', what);
  }

  /** Codes, in any letter case, and unique IDs belong to one card. */
  #ownerViolation(card: CardRecord, before: CardRecord | undefined): string | undefined {
    const { code, uniqueId } = card;
    const [state, behaviors] = [this.#state, this.#behaviors];
    const isOther = (owner: CardRecord | undefined, isFreeAfterVoid: boolean) =>
      owner !== undefined && owner.id !== card.id && !(isFreeAfterVoid && owner.status === 'Voided');
    if (
      before?.code !== code &&
      isOther(state.cardByCode(code, 'any'), behaviors['gift-card.create.code-of-voided-card'] === 'free')
    )
      return violation('gift-card.create.refuses-taken-code', `the code ${code} has two cards`);
    if (uniqueId === null || before?.uniqueId === uniqueId) return undefined;
    if (isOther(state.cardByUniqueId(uniqueId), behaviors['idempotency.create.after-void'] === 'free'))
      return violation('idempotency.create.refuses-repeat', `the uniqueId ${uniqueId} has two cards`);
    return undefined;
  }
}

/** By card; undefined without adjustments. */
function sumAdjustments(changes: readonly Change[]): Map<string, Minor> | undefined {
  let sums: Map<string, Minor> | undefined;
  for (const change of changes) {
    if (change.table !== 'adjustments') continue;
    sums ??= new Map();
    sums.set(change.put.cardId, (sums.get(change.put.cardId) ?? 0) + change.put.amount);
  }
  return sums;
}

/** The balance is the initial value and all adjustments. A void zeroes it, and an expiry may (gift-card.expiry.balance). */
function balanceViolation(
  card: CardRecord,
  before: CardRecord | undefined,
  adjusted: Minor,
  behaviors: Behaviors,
): string | undefined {
  const becomes = (status: CardRecord['status']) => card.status === status && before?.status !== status;
  const mayBeZeroed = becomes('Expired') && behaviors['gift-card.expiry.balance'] === 'zeroed';
  const sum = (before ? before.balance : card.initialValue) + adjusted;
  const expected = becomes('Voided') || (mayBeZeroed && before) ? 0 : sum;
  // The world describes expired cards with any balance.
  if (card.balance === expected || (mayBeZeroed && !before && card.balance === 0)) return undefined;
  const clause = becomes('Voided') ? 'gift-card.void.zeroes-balance' : 'adjustment.is-relative';
  return violation(
    clause,
    `the card ${card.id} has a balance of ${card.balance} instead of ${expected} (${card.currency}, in minor units)`,
  );
}

/** A void is final (gift-card.void.is-final), the initial value and the currency never change, and the total issued amount never falls. */
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

function violation(clause: RuleName, what: string): string {
  return `The state violates an invariant (${clause}): ${what}.`;
}
