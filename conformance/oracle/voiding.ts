import type { Docket } from '../proxy/finding.ts';
import type { Read } from '../proxy/read.ts';
import { refusedOtherwise } from '../proxy/rejection.ts';
import type { SeenAccount } from './account.ts';
import { type Change, isSame, type SeenCard } from './card.ts';
import { cardOf, wayOf } from './learn.ts';
import { judgeUnknown } from './missing.ts';
import { gap, isBefore, LATE, type Span } from './span.ts';

/** A card that is there can be voided; that it is voided, the next look at it shows. */
export function judgeVoid(read: Read, account: SeenAccount, docket: Docket): void {
  const card = cardOf(read, account);
  const { seen, status, refused } = read;
  if (card && read.accepted) judgeUnknown(read, account, card, docket);
  // What a second void is answered with is open.
  if (!card?.known || !card.isKnownBefore(seen) || !card.isSeenInUseBefore(seen)) return;
  if (account.mayBeVoidedAt(card, seen)) return;
  if (!refused || refusedOtherwise.has(status)) return;
  const others = wayOf(read) === 'code' ? account.othersMeant(card) : [];
  if (others.some((other) => account.mayBeVoidedAt(other, seen))) return;
  docket.contradicts(
    wayOf(read) === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids',
    `${card.name} was there in exchange ${card.known.n}, and voiding it by ${wayOf(read)} was refused with ${status}.`,
    card.known.n,
    seen.n,
  );
}

/** Whether a card that is shown is what a void has made of it. */
export function judgeVoided(
  read: Read,
  card: SeenCard,
  voided: { readonly span: Span; readonly by: 'code' | 'ID' },
  { balance, status }: { readonly balance?: unknown; readonly status?: unknown },
  docket: Docket,
): void {
  const [from, n] = [voided.span.n, read.seen.n];
  const wasSeen = card.looks.some(
    (look) => look.status === 'Voided' && isBefore(look.span, read.seen) && isBefore(voided.span, look.span),
  );
  const clause = wasSeen
    ? 'gift-card.void.is-final'
    : voided.by === 'code'
      ? 'gift-card.void.by-code-voids'
      : 'gift-card.void.by-id-voids';
  // Whether an expiry moves a voided card on is open.
  if (status === undefined) return;
  if (status === 'Expired') docket.open('gift-card.status.voided-leaves', 'A voided card is shown as Expired.', n);
  else if (status === 'Voided') {
    docket.holds(clause);
    if (clause !== 'gift-card.void.is-final') docket.holds('gift-card.void.is-final');
  } else docket.contradicts(clause, `${card.name} was voided in exchange ${from} and is ${JSON.stringify(status)} now.`, from, n);
  // What an adjustment of a voided card does is open.
  const firsts = [...card.voids, ...card.looks.filter((look) => look.status === 'Voided')].map((each) => each.span);
  const mayHaveMoved = ({ span, inDoubt }: Change) =>
    !isBefore(read.seen, span) && (firsts.some((first) => !isBefore(span, first)) || (inDoubt && gap(span, voided.span) < LATE));
  if (card.changes.some(mayHaveMoved)) return;
  if (typeof balance !== 'number') return;
  if (isSame(balance, 0)) docket.holds('gift-card.void.zeroes-balance');
  else if (card.isSeenInUseBefore(voided.span))
    docket.contradicts(
      'gift-card.void.zeroes-balance',
      `${card.name} was voided in exchange ${from} and holds ${balance}.`,
      from,
      n,
    );
}
