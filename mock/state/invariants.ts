import type { Behaviors, RuleName } from '../../openapi/generated/clauses.ts';
import type { Change } from './change.ts';
import type { AdjustmentRecord, CardRecord } from './records.ts';
import type { Minor } from './value-types.ts';
import type { View } from './view.ts';

/**
 * What is wrong with changes that are about to be carried out, a sentence each: the mock holds its own books against the rules that everything
 * else follows from, so that a defect of ours is told where it arises and not where somebody stumbles over it. Every change is held against the
 * state that it finds, which passed the same check; so the cost is that of the changes, however many cards there are.
 */
export function breaksIn(changes: readonly Change[], state: View, behaviors: Behaviors): readonly string[] {
  const found: string[] = [];
  const sums = sumsOf(changes);
  const own = changes.length > 2 ? new Own() : undefined;
  for (const change of changes) {
    if (!('put' in change)) continue;
    switch (change.table) {
      case 'cards': {
        const card = change.put;
        const before = own?.cards.get(card.id) ?? state.card(card.id);
        const sum = sums?.get(card.id) ?? 0;
        sums?.set(card.id, 0); // counted
        const problem =
          balanceOf(card, before, sum, behaviors) ?? fixedOf(card, before) ?? takenBy(card, before, state, own, behaviors);
        if (problem !== undefined) found.push(problem);
        own?.note(card);
        break;
      }
      case 'adjustments': {
        const problem = repeated(change.put, state, own);
        if (problem !== undefined) found.push(problem);
        break;
      }
      case 'listings':
        if (!state.card(change.put.cardId) && !own?.cards.has(change.put.cardId))
          found.push(
            broken('channels.api-changes-pushed', `a channel lists the card ${change.put.cardId}, which does not exist`),
          );
    }
  }
  for (const [cardId, sum] of sums ?? [])
    if (sum !== 0)
      found.push(broken('adjustment.recorded-in-history', `an adjustment of ${sum} left the balance of ${cardId} as it was`));
  return found.length === 0 ? NONE : found;
}

const NONE: readonly string[] = Object.freeze([]);

/** What the changes before this one have put down already, where there are several. */
class Own {
  readonly cards = new Map<string, CardRecord>();
  readonly codes = new Map<string, string>();
  readonly uniqueIds = new Map<string, string>();
  readonly uniqueAdjustmentIds = new Set<string>();

  note(card: CardRecord): void {
    this.cards.set(card.id, card);
    this.codes.set(card.code.toLowerCase(), card.id);
    if (card.uniqueId !== null) this.uniqueIds.set(card.uniqueId, card.id);
  }
}

/** What the changes add to each card; nothing where they hold no adjustment. */
function sumsOf(changes: readonly Change[]): Map<string, Minor> | undefined {
  let sums: Map<string, Minor> | undefined;
  for (const change of changes) {
    if (change.table !== 'adjustments') continue;
    sums ??= new Map();
    sums.set(change.put.cardId, (sums.get(change.put.cardId) ?? 0) + change.put.amount);
  }
  return sums;
}

/** The balance is the initial value and every adjustment since, or zero from the void on; an expiry may zero it too (gift-card.expiry.balance). */
function balanceOf(card: CardRecord, before: CardRecord | undefined, sum: Minor, behaviors: Behaviors): string | undefined {
  const becomes = (status: CardRecord['status']) => card.status === status && before?.status !== status;
  const sumOfAll = (before ? before.balance : card.initialValue) + sum;
  const mayBeZeroed = becomes('Expired') && behaviors['gift-card.expiry.balance'] === 'zeroed';
  const expected = becomes('Voided') || (mayBeZeroed && before) ? 0 : sumOfAll;
  // A card that is described as expired was not there when it expired.
  if (card.balance === expected || (mayBeZeroed && !before && card.balance === 0)) return undefined;
  const clause = becomes('Voided') ? 'gift-card.void.zeroes-balance' : 'adjustment.is-relative';
  return broken(
    clause,
    `the card ${card.id} has a balance of ${card.balance} instead of ${expected} (${card.currency}, in minor units)`,
  );
}

/** What a card never changes, and that a void is the end of it (gift-card.void.is-final). */
function fixedOf(card: CardRecord, before: CardRecord | undefined): string | undefined {
  if (!before) return undefined;
  if (before.status === 'Voided' && card.status !== 'Voided')
    return broken('gift-card.void.is-final', `the card ${card.id} was voided and is now ${card.status}`);
  if (card.initialValue !== before.initialValue || card.currency !== before.currency)
    return broken(
      'gift-card.create.initial-value-is-balance',
      `the card ${card.id} has another initial value than it was issued with`,
    );
  if (card.totalIssued < before.totalIssued)
    return broken('delivery.payload.total-issued-counts-top-ups', `less was ever loaded on the card ${card.id} than before`);
  return undefined;
}

/** Codes, in any letter case, and unique values belong to one card. */
function takenBy(
  card: CardRecord,
  before: CardRecord | undefined,
  state: View,
  own: Own | undefined,
  behaviors: Behaviors,
): string | undefined {
  const isTakenBy = (other: CardRecord | undefined, isFree: boolean) =>
    other !== undefined && other.id !== card.id && !(isFree && other.status === 'Voided');
  if (before?.code !== card.code) {
    const isFree = behaviors['gift-card.create.code-of-voided-card'] === 'free';
    const inOwn = own?.cards.get(own.codes.get(card.code.toLowerCase()) ?? '');
    if (isTakenBy(state.cardByCode(card.code, 'any'), isFree) || isTakenBy(inOwn, isFree))
      return broken('gift-card.create.refuses-taken-code', `the code ${card.code} has two cards`);
  }
  if (card.uniqueId !== null && before?.uniqueId !== card.uniqueId) {
    const isFree = behaviors['idempotency.create.after-void'] === 'free';
    const inOwn = own?.cards.get(own.uniqueIds.get(card.uniqueId) ?? '');
    if (isTakenBy(inOwn ?? state.cardByUniqueId(card.uniqueId), isFree))
      return broken('idempotency.create.refuses-repeat', `the uniqueId ${card.uniqueId} has two cards`);
  }
  return undefined;
}

function repeated({ uniqueAdjustmentId: value }: AdjustmentRecord, state: View, own: Own | undefined): string | undefined {
  if (value === null) return undefined;
  const isTaken = state.adjustmentByUniqueId(value) !== undefined || (own?.uniqueAdjustmentIds.has(value) ?? false);
  own?.uniqueAdjustmentIds.add(value);
  return isTaken
    ? broken('idempotency.adjustment.refuses-repeat', `the uniqueAdjustmentId ${value} has two adjustments`)
    : undefined;
}

function broken(clause: RuleName, what: string): string {
  return `The books do not balance (${clause}): ${what}.`;
}
