import { instantOf, leaves } from '../../structure.ts';
import type { Docket } from '../finding.ts';
import { fieldsOf, type Read } from '../read.ts';
import type { SeenAccount } from './account.ts';
import type { SeenCard } from './card.ts';
import { gap, isBefore, type Span } from './span.ts';

const [usualSize, mostSize] = [10, 50];

/** What is stated of the list, beside its form. */
export function judgeList(read: Read, account: SeenAccount, docket: Docket): void {
  const { seen, told, parameters, status } = read;
  const { giftCards, totalCount } = fieldsOf(told) ?? {};
  if (status !== 200 || !Array.isArray(giftCards) || seen.doubtful) return;
  const asked =
    parameters.pageSize === undefined ? undefined : /^\d+$/.test(parameters.pageSize) ? Number(parameters.pageSize) : Number.NaN;
  const size = asked === undefined ? usualSize : asked >= 1 && asked <= mostSize ? asked : mostSize;
  const clause =
    asked === undefined
      ? 'list.page-size-default'
      : asked >= 1 && asked <= mostSize
        ? 'list.page-size-limits'
        : 'list.page-size-maximum';
  if (giftCards.length <= size) docket.holds(clause);
  else docket.violates(clause, `A page of at most ${size} cards holds ${giftCards.length}.`, seen.n);
  judgeSince(read, account, giftCards, docket);
  const isFirst = parameters.pageNumber === undefined || parameters.pageNumber === '0';
  const isWhole =
    isFirst &&
    parameters.since === undefined &&
    giftCards.length < size &&
    typeof totalCount === 'number' &&
    totalCount <= giftCards.length;
  const places = placesOf(account, giftCards);
  if (isWhole) judgeWhole(read, account, places, docket);
  if (isFirst && parameters.since === undefined) judgeOrder(read, places, docket);
}

/** Where the cards of the account that are known stand on the page. */
function placesOf(account: SeenAccount, cards: readonly unknown[]): Map<SeenCard, number> {
  const places = new Map<SeenCard, number>();
  for (const [index, each] of cards.entries()) {
    for (const { value } of leaves(each)) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const card = account.byId(String(value)) ?? (typeof value === 'string' ? account.byCode(value) : undefined);
      if (card && !places.has(card)) places.set(card, index);
    }
  }
  return places;
}

/** A moment may be cut to seconds where it is shown. */
const SECOND = 1_000;

function judgeSince({ seen, parameters }: Read, account: SeenAccount, cards: readonly unknown[], docket: Docket): void {
  const since = parameters.since === undefined ? undefined : instantOf(parameters.since);
  if (since === undefined) return;
  for (const [card] of placesOf(account, cards)) {
    const { made } = card;
    if (made?.issuedAt === undefined || !isBefore(made.span, seen)) continue;
    if (made.issuedAt < since - SECOND)
      docket.violates(
        'list.since-goes-by-issue',
        `${card.name} is listed, which was issued before the moment since which cards were asked for.`,
        made.span.n,
        seen.n,
      );
    else docket.holds('list.since-goes-by-issue');
  }
}

function judgeWhole({ seen }: Read, account: SeenAccount, places: ReadonlyMap<SeenCard, number>, docket: Docket): void {
  for (const card of account.cards) {
    const voided = card.voidBefore(seen);
    const empty =
      !voided && card.lookBefore(seen)?.status === 'Redeemed' && card.changes.every(({ span }) => isBefore(span, seen));
    if (!card.made || !isBefore(card.made.span, seen) || (!voided && !empty)) continue;
    const clause = voided ? 'list.includes-voided' : 'list.includes-redeemed';
    if (places.has(card)) docket.holds(clause);
    else docket.contradicts(clause, `${card.name} is not on the only page of the list.`, card.made.span.n, seen.n);
  }
}

/** What the service does in the background may be an update, too. */
const QUIET = 3_000;

function judgeOrder({ seen }: Read, places: ReadonlyMap<SeenCard, number>, docket: Docket): void {
  const moved = [...places].flatMap(([card, place]) => {
    const last = lastUpdate(card, seen);
    return last ? [{ card, place, last }] : [];
  });
  for (const later of moved.slice(0, mostSize)) {
    const earlier = moved.find(({ last }) => isBefore(last, later.last) && gap(last, later.last) > QUIET);
    if (!earlier || gap(later.last, seen) < 0) continue;
    if (later.place < earlier.place) docket.holds('list.last-updated-first');
    else
      docket.contradicts(
        'list.last-updated-first',
        `${later.card.name}, updated in exchange ${later.last.n}, stands behind ${earlier.card.name}, updated last in exchange ${earlier.last.n}.`,
        earlier.last.n,
        later.last.n,
        seen.n,
      );
  }
}

/** Undefined where something happened of which nobody knows whether it is an update, or when it was. */
function lastUpdate(card: SeenCard, seen: Span): Span | undefined {
  if (card.voids.length > 0 || !card.made) return undefined;
  if (card.changes.some(({ span, inDoubt }) => inDoubt || !isBefore(span, seen))) return undefined;
  return card.changes.at(-1)?.span ?? card.made.span;
}
