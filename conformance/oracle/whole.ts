import { leaves, placeOf } from '../http/structure.ts';
import { cardIn, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { type Change, isSame, type SeenCard } from './card.ts';
import { onlyListIn } from './entries.ts';
import { isBefore } from './span.ts';

/**
 * Whether a history surely has all its entries: whether a long one is cut, and where, is open, but one of fewer entries than another one had is whole, unless it was
 * asked for in parts, or speaks of more than is there.
 */
export function isWhole({ seen, parameters, told }: Read, { longest }: SeenAccount): boolean {
  const { length = Number.POSITIVE_INFINITY } = onlyListIn(told) ?? [];
  if (!longest || !isBefore(longest.span, seen) || length >= longest.length || seen.doubtful) return false;
  const ofCard = placeOf(told, (object) => cardIn(object) !== undefined && 'balance' in object) || undefined;
  const beside = leaves(told).filter(({ path }) => !/\/\d+(\/|$)/.test(path) && !(ofCard && path.startsWith(`${ofCard}/`)));
  return (
    Object.keys(parameters).every((name) => /^(code|giftCardId)$/.test(name)) &&
    !beside.some(({ path }) => /more|next|total|count|page|cursor|limit|trunc|cut|partial/i.test(path))
  );
}

/** Nothing else is known that has its amount; another client's may, where that one itself is cut off. */
export const isAlone = (card: SeenCard, change: Change): boolean =>
  timesMoved(card, change) === 1 && !mayBeOfService(card, change);

/** Whether the service may have an entry of its own with that amount: of the issue, or of what it books by itself. */
export function mayBeOfService(card: SeenCard, { span, amount = 0 }: Change): boolean {
  const balance = card.made?.balance;
  return typeof balance !== 'number' || !card.isStillAt(span) || isSame(balance, Math.abs(amount));
}

/** How often anything moved the card by so much, or may have. */
export const timesMoved = (card: SeenCard, { amount = 0 }: Change): number =>
  card.changes.filter((each) => each.amount === undefined || isSame(Math.abs(each.amount), Math.abs(amount))).length;
