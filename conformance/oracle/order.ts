import type { RuleName } from '../../openapi/generated/rules.ts';
import { amountOf, amountsIn, arrays } from '../http/json-search.ts';
import type { KnownAdjustment, KnownCard } from './account.ts';
import { isBefore, SECOND, type Span, timeBetween } from './call.ts';
import type { OracleCheck } from './findings.ts';

/** Milliseconds. Two changes within this time may have the same time on the service's clock, and a push to a channel may still update a card. */
export const SURELY_LATER = 2 * SECOND;

/** A card of a list, or an entry of a history. */
interface Item {
  readonly name: string;
  /** The exchanges that certainly changed the item, and those that may have changed it. */
  readonly changes: readonly Span[];
  readonly possibleChanges: readonly Span[];
  readonly actionedAt?: number;
}

/** Checks that a list shows the cards that were updated last first. */
export function checkListOrder(check: OracleCheck, cards: readonly (KnownCard | undefined)[]): void {
  const items = cards.flatMap((card): Item[] => {
    const { creation, uncertainChanges = [], voids = [], adjustments = [] } = card ?? {};
    if (!card || !creation || uncertainChanges.length > 0 || voids.length > 1 || !card.isUnexpired(check.call.span)) return [];
    // The specification does not state the effect of an adjustment on a voided card.
    const isEffective = ({ amount = 0, span }: KnownAdjustment) =>
      amount !== 0 && voids.every((each) => isBefore(span, each.span));
    const spans = (all: readonly KnownAdjustment[]) => [creation, ...all, ...voids].map(({ span }) => span);
    return [{ name: card.name, changes: spans(adjustments.filter(isEffective)), possibleChanges: spans(adjustments) }];
  });
  checkOrder(check, 'list.last-updated-first', items, 'was updated later');
}

/** Checks that a history shows the newest adjustments first. Finds an entry by its amount, because the specification does not name its properties. */
export function checkHistoryOrder(check: OracleCheck, { name, adjustments }: KnownCard): void {
  const known = adjustments.flatMap((each) => (each.amount === undefined ? [] : [{ ...each, size: amountOf(each.amount) }]));
  // With fewer entries, some adjustments are missing, and another entry may mention their amounts.
  for (const entries of arrays(check.call.response).filter(({ length }) => length >= adjustments.length)) {
    const amountsOf = entries.map(amountsIn);
    const items = amountsOf.flatMap((amounts): Item[] => {
      const [adjustment, ...others] = known.filter(({ size }) => amounts.has(size));
      const { amount = 0, size, actionedAt, span } = adjustment ?? {};
      const isOnlyEntry = amountsOf.filter((each) => each.has(size)).length === 1;
      if (!span || others.length > 0 || !isOnlyEntry || actionedAt === undefined) return [];
      const what = `the adjustment of ${name} by ${amount.toFixed(2)}`;
      return [{ name: what, changes: [span], possibleChanges: [span], actionedAt }];
    });
    checkOrder(check, 'adjustment.history.newest-first', items, 'is newer');
  }
}

function checkOrder({ call: { span }, findings }: OracleCheck, rule: RuleName, items: readonly Item[], why: string): void {
  const isLater = (one: Item, other: Item) => {
    // The newest adjustment may be the adjustment that was recorded last, or the adjustment with the latest actionedAtUtc.
    if ((one.actionedAt ?? SURELY_LATER) - (other.actionedAt ?? 0) < SURELY_LATER) return false;
    const isAfterOther = (change: Span) =>
      other.possibleChanges.every((each) => isBefore(each, change) && timeBetween(each, change) >= SURELY_LATER);
    return one.changes.some((change) => isBefore(change, span) && isAfterOther(change));
  };
  const pairs = items.flatMap((first, index) => items.slice(index + 1).map((second) => ({ first, second })));
  const wrong = pairs.find(({ first, second }) => isLater(second, first));
  if (!wrong && !pairs.some(({ first, second }) => isLater(first, second))) return;
  const { first, second } = wrong ?? (pairs[0] as (typeof pairs)[number]);
  const what = `The response shows ${first.name} before ${second.name}, which ${why}.`;
  findings.checkPossible(wrong === undefined, rule, what, ...[first, second].flatMap(({ changes }) => changes.slice(-1)));
}
