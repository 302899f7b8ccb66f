import { arrays, isAmount, leaves, mentions } from '../../structure.ts';
import type { Docket } from '../finding.ts';
import type { Read } from '../read.ts';
import type { SeenAccount } from './account.ts';
import type { Change, SeenCard } from './card.ts';
import { cardOf, wayOf } from './learn.ts';
import { gap, isBefore } from './span.ts';

/** A history holds what was booked, nothing that was refused, and the newest first. */
export function judgeHistory(read: Read, account: SeenAccount, docket: Docket): void {
  const card = cardOf(read, account);
  if (!card || !read.accepted || read.told === undefined) return;
  const { seen, told } = read;
  const clause =
    wayOf(read) === 'code'
      ? 'adjustment.history.by-code-shows-card-and-entries'
      : 'adjustment.history.by-id-shows-card-and-entries';
  if (card.code !== undefined && card.id !== undefined) {
    const isThere = leaves(told).some(({ value }) => value === card.code || String(value) === card.id);
    if (isThere) docket.holds(clause);
    else docket.violates(clause, `The history of ${card.name} shows nothing of the card itself.`, seen.n);
  }
  const booked = card.changes.filter(({ span, inDoubt, amount }) => !inDoubt && amount !== undefined && isBefore(span, seen));
  const rows = arrays(told).flat();
  if (booked.length > 0 && booked.length <= fewerThanAPage) judgeEntries(read, card, booked, rows, docket);
  for (const { notes, span } of card.refusals) {
    if (notes === undefined || !isBefore(span, seen) || card.changes.some((change) => change.notes === notes)) continue;
    if (rows.some((row) => mentions(row, notes)))
      docket.violates(
        'errors.refusal-changes-nothing',
        `An adjustment of ${card.name} that was refused stands in its history.`,
        span.n,
        seen.n,
      );
  }
  judgeOrder(read, card, booked, docket);
}

/** Whether a long history is cut into pages is open. */
const fewerThanAPage = 9;

function judgeEntries({ seen }: Read, card: SeenCard, booked: readonly Change[], rows: readonly unknown[], docket: Docket): void {
  for (const { amount = 0, notes, span } of booked) {
    const alike = booked.filter((each) => Math.abs(each.amount ?? 0) === Math.abs(amount)).length;
    const withAmount = rows.filter((row) => leaves(row).some(({ value }) => isAmount(value, amount)));
    const isNoted = notes !== undefined && rows.some((row) => mentions(row, notes));
    if (withAmount.length >= alike || isNoted) docket.holds('adjustment.recorded-in-history');
    else
      docket.violates(
        'adjustment.recorded-in-history',
        `The adjustment of ${card.name} by ${amount.toFixed(2)} in exchange ${span.n} does not stand in its history.`,
        span.n,
        seen.n,
      );
  }
}

/** Two adjustments within one tick may stand in any order, and by which of its times a history is ordered is open; times may be cut to seconds. */
const TICK = 1_100;
const SECOND = 1_000;

function judgeOrder({ seen, told }: Read, card: SeenCard, booked: readonly Change[], docket: Docket): void {
  if (card.voids.length > 0) return;
  const noted = booked.filter(({ notes }) => notes !== undefined && booked.filter((each) => each.notes === notes).length === 1);
  const placed = arrays(told).flatMap((rows) => {
    const found = noted.flatMap((change) => {
      const places = rows.flatMap((row, index) => (mentions(row, change.notes) ? [index] : []));
      return places.length === 1 ? [{ change, place: places[0] as number }] : [];
    });
    return found.length > 1 ? [found] : [];
  })[0];
  for (const [index, later] of (placed ?? []).entries()) {
    const earlier = placed?.slice(0, index).find(({ change }) => isEarlier(change, later.change));
    if (!earlier) continue;
    if (later.place < earlier.place) docket.holds('adjustment.history.newest-first');
    else
      docket.violates(
        'adjustment.history.newest-first',
        `In the history of ${card.name} the adjustment of exchange ${later.change.span.n} stands behind that of exchange ${earlier.change.span.n}.`,
        earlier.change.span.n,
        later.change.span.n,
        seen.n,
      );
  }
}

const isEarlier = (one: Change, other: Change) =>
  isBefore(one.span, other.span) &&
  gap(one.span, other.span) > TICK &&
  one.actionedAt !== undefined &&
  other.actionedAt !== undefined &&
  other.actionedAt - one.actionedAt >= SECOND;
