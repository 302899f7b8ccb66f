import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { leaves } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { cardIn, fieldsOf, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { judgeBalance } from './balances.ts';
import { isSame, type SeenCard } from './card.ts';
import type { Page } from './listing.ts';
import { HOUR, isBefore, SECOND } from './span.ts';
import { judgeVoided } from './voiding.ts';

/** Where the cards of the account that are known stand on the page. */
export function placesOf(account: SeenAccount, cards: readonly unknown[]): Map<SeenCard, number> {
  const places = new Map<SeenCard, number>();
  for (const [index, each] of cards.entries()) {
    const names = cardIn(each);
    for (const { value } of names ? [{ value: names.id }] : leaves(each)) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const card = account.byId(String(value)) ?? (typeof value === 'string' ? account.byCode(value) : undefined);
      if (card && !places.has(card)) places.set(card, index);
    }
  }
  return places;
}

/** Balance and status of a card that stands among others are those of the card; where nothing moved it, the clause is of the answer. */
export function judgeShown(read: Read, account: SeenAccount, shown: unknown, clause: ClauseName, docket: Docket): void {
  const names = cardIn(shown);
  const card = names && account.byId(names.id);
  if (!card || card.code !== names.code) return;
  const { balance, status } = fieldsOf(shown) ?? {};
  const voided = card.voidBefore(read.seen);
  if (voided) judgeVoided(read, card, voided, { balance, status }, docket);
  else if (typeof balance === 'number') judgeBalance(read, account, card, { balance, status }, clause, docket);
}

export function judgeSince({ seen }: Read, account: SeenAccount, { cards, since }: Page, docket: Docket): void {
  if (since === undefined) return;
  for (const [card] of placesOf(account, cards)) {
    const { made } = card;
    const clock = made?.span.clock;
    // Where a card does not say when it was issued, the answer that brought it does, by a clock that may be a little off.
    const latest = made?.issuedAt ?? (clock === undefined ? undefined : clock + HOUR);
    if (!made || latest === undefined || !isBefore(made.span, seen)) continue;
    const words = `${card.name} is listed, which was issued before the moment since which cards were asked for.`;
    // A moment may be cut to seconds where it is shown.
    if (latest >= since - SECOND) docket.holds('list.since-goes-by-issue');
    else if (made.issuedAt === undefined) docket.contradicts('list.since-goes-by-issue', words, made.span.n, seen.n);
    else docket.violates('list.since-goes-by-issue', words, made.span.n, seen.n);
  }
}

/** A page that is not full holds all cards; those that were deleted meanwhile, which only others can do, are not among them. */
export function judgeThere({ seen }: Read, account: SeenAccount, { cards, since }: Page, docket: Docket): void {
  const places = placesOf(account, cards);
  // An entry may show its card in a way that nobody can tell.
  const told = new Set(places.values());
  if (cards.some((each, index) => !cardIn(each) && !told.has(index))) return;
  const said = new Set<ClauseName>();
  for (const card of account.cards) {
    const { made } = card;
    if (!made || !isBefore(made.span, seen)) continue;
    if (since !== undefined && (made.issuedAt === undefined || made.issuedAt <= since + SECOND)) continue;
    const clause = since === undefined ? clauseOf(card, seen) : 'list.since-is-strictly-after';
    if (places.has(card)) {
      if (clause !== 'list.wraps-cards-and-total') docket.holds(clause);
    } else if (!said.has(clause)) {
      said.add(clause);
      docket.contradicts(clause, `${card.name} is not on the only page of the list.`, made.span.n, seen.n);
    }
  }
}

/** Why the card has to be there. */
function clauseOf(card: SeenCard, seen: Read['seen']): ClauseName {
  if (card.voidBefore(seen)) return 'list.includes-voided';
  const look = card.lookBefore(seen);
  const isStill = card.changes.every(({ span }) => isBefore(span, seen) && (!look || isBefore(span, look.span)));
  const isEmpty = look?.status === 'Redeemed' || (look !== undefined && isSame(look.balance, 0));
  return isEmpty && isStill && !card.mayBeVoidedAt(seen) ? 'list.includes-redeemed' : 'list.wraps-cards-and-total';
}
