import type { Behaviors } from '../../openapi/generated/rules.ts';
import { isRefused, type Refusal } from '../pipeline/refusal.ts';
import type { AdjustmentRecord, CardRecord } from '../state/records.ts';
import type { Context } from './outcome.ts';

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
