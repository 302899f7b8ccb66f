import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Docket } from '../proxy/finding.ts';
import { type Read, textIn } from '../proxy/read.ts';
import { refusedOtherwise } from '../proxy/rejection.ts';
import type { SeenAccount } from './account.ts';
import { isSame, reckon, type SeenCard } from './card.ts';
import { wayOf } from './learn.ts';
import { exactInstantOf } from './moments.ts';
import { gap, isBefore, MINUTE, type Span } from './span.ts';

/**
 * An adjustment that is refused although it is stated to be taken. Much else may be a reason, so that it is said only where nobody else acts, the card was made
 * here, and such a request was taken before; but for a card that is not found, for which nothing is one.
 */
export function judgeRefusal(read: Read, account: SeenAccount, card: SeenCard, amount: number, docket: Docket): void {
  const { seen, status, refused } = read;
  const way = wayOf(read);
  if (!refused || refusedOtherwise.has(status)) return;
  const does = amount < 0 ? 'Redeeming' : 'A top-up by';
  // What was used before the proxy began nobody knows here.
  const unless = status === 400 ? '; unless its unique value was used before the proxy began' : '';
  const words = (held: string) =>
    `${does} ${Math.abs(amount).toFixed(2)} of ${card.name}${held}, by ${way} was refused with ${status}${unless}.`;
  if (status === 404) {
    // By which field a card is named by ID is open.
    const isNamed = way === 'code' || hasTaken(read, account);
    if (card.known && card.isKnownBefore(seen) && isNamed)
      docket.contradicts(movingBy(amount), words(`, which was there in exchange ${card.known.n}`), card.known.n, seen.n);
    return;
  }
  const reckoned = reckon(card, seen);
  if (!docket.onlyClient || !reckoned || reckoned.perhaps.length > 0 || !isOrdinary(read, account, card)) return;
  const clause = statedIn(way, reckoned.balance, amount);
  if (clause) docket.contradicts(clause, words(`, which held ${reckoned.balance.toFixed(2)}`), reckoned.from.span.n, seen.n);
}

const movingBy = (amount: number): ClauseName => (amount < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up');

/** The clause by which it is to be taken; none where it is to be refused. */
function statedIn(way: 'code' | 'ID', balance: number, amount: number): ClauseName | undefined {
  const after = balance + amount;
  if (Math.abs(after) >= mostOrdinary) return undefined;
  if (amount > 0) return way === 'ID' && balance < 0 ? 'adjustment.by-id.tops-up-below-zero' : movingBy(amount);
  if (way === 'ID' && isSame(after, 0)) return 'adjustment.by-id.takes-whole-balance';
  if (after >= 0) return movingBy(amount);
  return way === 'code' ? 'adjustment.by-code.may-go-negative' : undefined;
}

const hasTaken = ({ operation, seen }: Read, account: SeenAccount): boolean => {
  const control = account.taken.get(operation);
  return control !== undefined && isBefore(control, seen);
};

const mostOrdinary = 10_000;

/** Nothing is in it that a service might refuse for a reason that is open. */
function isOrdinary(read: Read, account: SeenAccount, card: SeenCard): boolean {
  const { seen, asked = {} } = read;
  const actioned = exactInstantOf(asked.actionedAtUtc);
  const amount = asked.adjustmentAmount;
  const unique = textIn(asked.uniqueAdjustmentId);
  return (
    hasTaken(read, account) &&
    isOpenAt(card, seen) &&
    // Whether what was refused, or got no answer, has used its unique value up is open.
    unique !== undefined &&
    account.timesSent(unique) === 1 &&
    actioned !== undefined &&
    // A moment in the future may be refused; no later than one that was taken, it is none.
    (actioned < seen.at - MINUTE || actioned - seen.at <= account.latestTaken) &&
    typeof amount === 'number' &&
    Math.abs(amount) < mostOrdinary
  );
}

/** It is in use, and nothing is known by which it may have expired meanwhile. */
export function isOpenAt(card: SeenCard, seen: Span): boolean {
  const look = card.lookBefore(seen);
  const isInUse = look !== undefined && (look.status === 'Active' || look.status === 'Redeemed') && gap(look.span, seen) < MINUTE;
  return isInUse && card.isStillAt(seen);
}
