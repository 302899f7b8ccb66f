import { toAmount } from '../domain/money.ts';
import type { Change, Put } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import type { View } from '../state/view.ts';

/** A change in short form, without the complete record. */
export interface ChangeSummary {
  readonly table: Change['table'];
  /** The ID of the record. A listing (a card inside a channel) has no ID, so this is the ID of the channel. */
  readonly id: string;
  readonly cardId: string | null;
  readonly action: 'added' | 'changed' | 'removed' | 'deleted' | 'disabled';
  readonly card?: CardSummary;
  /** The signed amount of an adjustment. */
  readonly amount?: Minor;
}

export const NO_CHANGES: readonly ChangeSummary[] = Object.freeze([]);

/** The values of a card before and after a change. For a new card, the values before are null. */
interface CardSummary {
  readonly currency: string;
  readonly balanceBefore: Minor | null;
  readonly balance: Minor;
  readonly statusBefore: string | null;
  readonly status: string;
}

/** Summarizes changes before they are applied. `state` has the earlier values. Leaves out timeline records, because they repeat other changes. */
export function summarizeChanges(changes: readonly Change[], state: View): readonly ChangeSummary[] {
  const summaries: ChangeSummary[] = [];
  for (const change of changes) if (change.table !== 'timeline') summaries.push(summarize(change, state));
  return summaries;
}

function summarize(change: Exclude<Change, { table: 'timeline' }>, state: View): ChangeSummary {
  const { table } = change;
  if (!('put' in change)) return { table, id: change.remove, cardId: null, action: 'removed' };
  switch (change.table) {
    case 'cards':
      return ofCard(change.put, state.card(change.put.id));
    case 'adjustments':
      return { table, id: change.put.id, cardId: change.put.cardId, action: 'added', amount: change.put.amount };
    case 'listings':
      return { table, id: change.put.channelId, cardId: change.put.cardId, action: 'changed' };
    case 'refusedValues':
      return { table, id: change.put.value, cardId: null, action: 'added' };
    default:
      return { table, id: change.put.id, cardId: null, action: actionOf(change, state) };
  }
}

function ofCard(card: CardRecord, before: CardRecord | undefined): ChangeSummary {
  const { id, currency, balance, status } = card;
  const action = !before ? 'added' : card.deletedAt !== null && before.deletedAt === null ? 'deleted' : 'changed';
  const [balanceBefore, statusBefore] = before ? [before.balance, before.status] : [null, null];
  return { table: 'cards', id, cardId: id, action, card: { currency, balanceBefore, balance, statusBefore, status } };
}

function actionOf({ table, put }: Put, state: View): ChangeSummary['action'] {
  if (table === 'webhooks') return !put.enabled ? 'disabled' : state.webhook(put.id) ? 'changed' : 'added';
  const isKnown = table === 'automations' || (table === 'coupons' && state.coupon(put.id) !== undefined);
  return isKnown ? 'changed' : 'added';
}

/** Describes a change: "changed, balance 25 → 20 USD", "added, balance 25 USD, Active", "removed". */
export function describeChange({ action, card, amount }: ChangeSummary, currency: string): string {
  if (amount !== undefined) return `${action}, ${amount > 0 ? '+' : ''}${toAmount(amount, currency)} ${currency}`;
  if (!card) return action;
  const { balanceBefore, balance, statusBefore, status } = card;
  const show = (minor: Minor) => toAmount(minor, card.currency);
  const parts: string[] = [action];
  if (balanceBefore === null) parts.push(`balance ${show(balance)} ${card.currency}`, status);
  else {
    if (balanceBefore !== balance) parts.push(`balance ${show(balanceBefore)} → ${show(balance)} ${card.currency}`);
    if (statusBefore !== status) parts.push(`${statusBefore} → ${status}`);
  }
  return parts.join(', ');
}
