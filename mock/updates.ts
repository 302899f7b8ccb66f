import type { Readings } from '../openapi/generated/clauses.ts';
import type { Cause } from './effects/cause.ts';
import type { CardRecord } from './records.ts';
import type { Change, View } from './state.ts';

/** Makes changes of cards that are no update for the order of lists leave the card at its place, with the moment of its last update. */
export type Hush = (changes: readonly Change[], cause: Cause, state: View) => readonly Change[];

type Kind = 'expiry' | 'deletion' | 'dashboard-change';

/** Undefined where every change is an update, as by default (list.update-by-expiry, list.update-by-deletion, list.update-by-dashboard-change). */
export function hushOf(readings: Readings): Hush | undefined {
  const kinds: readonly Kind[] = ['expiry', 'deletion', 'dashboard-change'];
  const hushed = kinds.filter((kind) => readings[`list.update-by-${kind}`] === 'no');
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
  if (card.deletedAt !== null && before.deletedAt === null) return 'deletion';
  if (cause.kind === 'control') return 'dashboard-change';
  return cause.kind === 'clock' && card.status === 'Expired' ? 'expiry' : undefined;
}
