import type { Behaviors, ClauseName } from '../../openapi/generated/clauses.ts';
import { DAY } from '../domain/day.ts';
import { type Minor, toAmount } from '../domain/money.ts';
import type { LetterCase } from './by-name.ts';
import type { Change } from './change.ts';
import type { AdjustmentRecord, CardRecord } from './records.ts';
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
          balanceOf(card, before, sum, behaviors) ??
          fixedOf(card, before, behaviors) ??
          takenBy(card, before, state, own, behaviors);
        if (problem !== undefined) found.push(problem);
        own?.note(card, behaviors);
        break;
      }
      case 'adjustments': {
        const problem = repeated(change.put, state, own, behaviors);
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

  note(card: CardRecord, behaviors: Behaviors): void {
    this.cards.set(card.id, card);
    this.codes.set(codeOf(card, behaviors), card.id);
    if (card.uniqueId !== null) this.uniqueIds.set(uniqueOf(card.uniqueId, behaviors), card.id);
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
  const show = (amount: Minor) => `${toAmount(amount, card.currency)} ${card.currency}`;
  const clause = becomes('Voided') ? 'gift-card.void.zeroes-balance' : 'adjustment.is-relative';
  return broken(clause, `the card ${card.id} holds ${show(card.balance)}, but by its books ${show(expected)}`);
}

/** What a card never changes, and that a void is the end of it (gift-card.void.is-final, gift-card.status.voided-leaves). */
function fixedOf(card: CardRecord, before: CardRecord | undefined, behaviors: Behaviors): string | undefined {
  if (!before) return undefined;
  if (before.status === 'Voided' && card.status !== 'Voided') {
    const mayExpire = card.status === 'Expired' && behaviors['gift-card.status.voided-leaves'] === 'expiry';
    if (!mayExpire) return broken('gift-card.void.is-final', `the card ${card.id} was voided and is now ${card.status}`);
  }
  if (card.initialValue !== before.initialValue || card.currency !== before.currency)
    return broken(
      'gift-card.create.initial-value-is-balance',
      `the card ${card.id} has another initial value than it was issued with`,
    );
  if (card.totalIssued < before.totalIssued)
    return broken('delivery.payload.total-issued-counts-top-ups', `less was ever loaded on the card ${card.id} than before`);
  return undefined;
}

/** Codes and unique values are those of one card, as the behaviors in force tell values apart. */
function takenBy(
  card: CardRecord,
  before: CardRecord | undefined,
  state: View,
  own: Own | undefined,
  behaviors: Behaviors,
): string | undefined {
  if (before?.code !== card.code) {
    const other = otherThan(card, state.cardByCode(card.code, codesOf(behaviors)));
    const isTaken = other !== undefined && !isCodeFree(other, behaviors);
    const inOwn = own?.cards.get(own.codes.get(codeOf(card, behaviors)) ?? '');
    if (isTaken || (inOwn && inOwn.id !== card.id && !isCodeFree(inOwn, behaviors)))
      return broken('gift-card.create.refuses-taken-code', `the code ${card.code} has two cards`);
  }
  if (card.uniqueId !== null && before?.uniqueId !== card.uniqueId) {
    const inOwn = own?.cards.get(own.uniqueIds.get(uniqueOf(card.uniqueId, behaviors)) ?? '');
    const other = otherThan(card, inOwn ?? state.cardByUniqueId(card.uniqueId, valuesOf(behaviors)));
    if (other && !isUniqueIdFree(other, card, behaviors))
      return broken('idempotency.create.refuses-repeat', `the uniqueId ${card.uniqueId} has two cards`);
  }
  return undefined;
}

function otherThan(card: CardRecord, found: CardRecord | undefined): CardRecord | undefined {
  return found?.id === card.id ? undefined : found;
}

/** gift-card.create.code-letter-case */
function codesOf(behaviors: Behaviors): LetterCase {
  return behaviors['gift-card.create.code-letter-case'] === 'different' ? 'exact' : 'any';
}

function codeOf({ code }: CardRecord, behaviors: Behaviors): string {
  return codesOf(behaviors) === 'exact' ? code : code.toLowerCase();
}

/** idempotency.values-letter-case */
function valuesOf(behaviors: Behaviors): LetterCase {
  return behaviors['idempotency.values-letter-case'] === 'same' ? 'any' : 'exact';
}

function uniqueOf(value: string, behaviors: Behaviors): string {
  return valuesOf(behaviors) === 'exact' ? value : value.toLowerCase();
}

/** gift-card.create.code-of-voided-card, gift-card.create.code-of-deleted-card */
function isCodeFree(card: CardRecord, behaviors: Behaviors): boolean {
  if (card.status === 'Voided' && behaviors['gift-card.create.code-of-voided-card'] === 'free') return true;
  return card.deletedAt !== null && behaviors['gift-card.create.code-of-deleted-card'] === 'free';
}

/** idempotency.create.after-void, idempotency.values-kept */
function isUniqueIdFree(holder: CardRecord, card: CardRecord, behaviors: Behaviors): boolean {
  if (holder.status === 'Voided' && behaviors['idempotency.create.after-void'] === 'free') return true;
  return behaviors['idempotency.values-kept'] === '24-hours' && card.createdAt - holder.createdAt >= DAY;
}

function repeated(adjustment: AdjustmentRecord, state: View, own: Own | undefined, behaviors: Behaviors): string | undefined {
  const { uniqueAdjustmentId: value, createdAt } = adjustment;
  if (value === null) return undefined;
  const holder = state.adjustmentByUniqueId(value, valuesOf(behaviors));
  const isForgotten =
    behaviors['idempotency.values-kept'] === '24-hours' && holder !== undefined && createdAt - holder.createdAt >= DAY;
  const isKept = holder !== undefined && !isForgotten;
  const inOwn = own?.uniqueAdjustmentIds.has(uniqueOf(value, behaviors)) ?? false;
  own?.uniqueAdjustmentIds.add(uniqueOf(value, behaviors));
  return isKept || inOwn
    ? broken('idempotency.adjustment.refuses-repeat', `the uniqueAdjustmentId ${value} has two adjustments`)
    : undefined;
}

function broken(clause: ClauseName, what: string): string {
  return `The books do not balance (${clause}): ${what}.`;
}
