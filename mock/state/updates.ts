import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Change } from './change.ts';
import type { CardRecord } from './records.ts';
import type { View } from './view.ts';

/** Makes changes of cards that are no update for the order of lists leave the card at its place, with the moment of its last update. */
export type Hush = (changes: readonly Change[], cause: Cause, state: View) => readonly Change[];

type Kind = 'list.update-by-expiry' | 'list.update-by-deletion' | 'list.update-by-dashboard-change';

const KINDS: readonly Kind[] = ['list.update-by-expiry', 'list.update-by-deletion', 'list.update-by-dashboard-change'];

/** Undefined where every change is an update, as by default. */
export function hushOf(behaviors: Behaviors): Hush | undefined {
  const hushed = KINDS.filter((kind) => behaviors[kind] === 'no');
  if (hushed.length === 0) return undefined;
  return (changes, cause, state) =>
    changes.map((change) => {
      if (change.table !== 'cards') return change;
      const before = state.card(change.put.id);
      const kind = before && kindOf(change.put, before, cause);
      if (!kind || !hushed.includes(kind)) return change;
      return { table: 'cards', put: { ...change.put, updatedAt: before.updatedAt }, quiet: true };
    });
}

function kindOf(card: CardRecord, before: CardRecord, cause: Cause): Kind | undefined {
  if (card.deletedAt !== null && before.deletedAt === null) return 'list.update-by-deletion';
  if (cause.kind === 'control') return 'list.update-by-dashboard-change';
  return cause.kind === 'clock' && card.status === 'Expired' ? 'list.update-by-expiry' : undefined;
}
