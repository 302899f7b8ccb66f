import type { Docket } from '../proxy/finding.ts';
import type { Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import type { SeenCard } from './card.ts';
import { isAdjustment, wayOf } from './learn.ts';
import { gap, isBefore, LATE } from './span.ts';

/** A card that was not found a moment ago is adjusted or voided, and nothing that passed can have made it; nor is it one that is spelt otherwise. */
export function judgeUnknown(read: Read, account: SeenAccount, card: SeenCard, docket: Docket): void {
  const { seen } = read;
  const way = wayOf(read);
  const missed = card.missed.findLast((each) => each.by === way && isBefore(each.span, seen));
  if (!missed || card.known?.n !== seen.n || account.hasOtherSpelling(card)) return;
  const mayBeMade = account.stirs.some((each) => each.n !== seen.n && !isBefore(each, missed.span) && !isBefore(seen, each));
  if (mayBeMade || (account.inDoubt && gap(account.inDoubt, missed.span) < LATE)) return;
  const clause = isAdjustment(read)
    ? way === 'code'
      ? 'adjustment.by-code.unknown-card-is-404'
      : 'adjustment.by-id.unknown-card-is-404'
    : way === 'code'
      ? 'gift-card.void.unknown-code-is-404'
      : 'gift-card.void.unknown-id-is-404';
  const does = isAdjustment(read) ? 'adjusted' : 'voided';
  docket.contradicts(
    clause,
    `${card.name} was not found by ${way} in exchange ${missed.span.n}, and was ${does} by it.`,
    missed.span.n,
    seen.n,
  );
}
