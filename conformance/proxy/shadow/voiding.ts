import type { Docket } from '../finding.ts';
import type { Read } from '../read.ts';
import type { SeenAccount } from './account.ts';
import { refusedOtherwise } from './creating.ts';
import { cardOf, wayOf } from './learn.ts';

/** A card that is there can be voided; that it is voided, the next look at it shows. */
export function judgeVoid(read: Read, account: SeenAccount, docket: Docket): void {
  const card = cardOf(read, account);
  const { seen, status, refused } = read;
  // What a second void is answered with is open, and what else is spelt like the card may have voided it.
  if (!card?.known || !card.isKnownBefore(seen) || card.mayBeVoidedAt(seen) || account.hasOtherSpelling(card)) return;
  if (!refused || refusedOtherwise.has(status)) return;
  docket.contradicts(
    wayOf(read) === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids',
    `${card.name} was there in exchange ${card.known.n}, and voiding it by ${wayOf(read)} was refused with ${status}.`,
    card.known.n,
    seen.n,
  );
}
