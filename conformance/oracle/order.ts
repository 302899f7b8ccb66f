import type { Docket } from '../proxy/finding.ts';
import { cardIn, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import type { SeenCard } from './card.ts';
import { gap, isBefore, MINUTE, type Span } from './span.ts';

/** What the service does in the background may be an update, too. */
const QUIET = MINUTE;
const mostCompared = 50;

/** The card that was updated last stands first. */
export function judgeOrder({ seen }: Read, account: SeenAccount, places: ReadonlyMap<SeenCard, number>, docket: Docket): void {
  const moved = [...places].flatMap(([card, place]) => {
    const last = account.hasOtherSpelling(card) ? undefined : lastUpdate(card, seen);
    return last ? [{ card, place, last }] : [];
  });
  for (const later of moved.slice(0, mostCompared)) {
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

/** Undefined where something happened of which nobody knows whether it is an update, or when it was, such as a second void; or may happen by itself. */
function lastUpdate(card: SeenCard, seen: Span): Span | undefined {
  const [voided, ...others] = card.voids;
  const all = [...card.changes, ...card.voids];
  if (
    !card.made ||
    !card.isStillAt(seen) ||
    others.length > 0 ||
    all.some(({ span, inDoubt }) => inDoubt || !isBefore(span, seen))
  )
    return undefined;
  if (!voided) return card.changes.at(-1)?.span ?? card.made.span;
  return card.changes.every(({ span }) => isBefore(span, voided.span)) ? voided.span : undefined;
}

/** What stands on a page, of how many cards at most, and how many are counted in all. */
export interface Counted {
  readonly cards: readonly unknown[];
  readonly size: number | undefined;
  readonly count: unknown;
}

/** A page as it was answered last, with what was asked beside its number. */
export interface SeenPage {
  readonly span: Span;
  readonly asked: string;
  readonly number: number;
  readonly ids: string;
  readonly cards: number;
}

/**
 * Without anything that moves cards meanwhile, a page is not the same as the one before; a single card may come again where another one is updated. What stands on
 * a page behind the last one is open.
 */
export function judgePage({ seen, parameters }: Read, account: SeenAccount, page: Counted, docket: Docket): void {
  const { cards, size, count } = page;
  const { pageNumber = '0', ...others } = parameters;
  const ids = cards.flatMap((each) => cardIn(each)?.id ?? []);
  if (!/^\d+$/.test(pageNumber) || ids.length < cards.length) return;
  const now = { span: seen, asked: JSON.stringify(others), number: Number(pageNumber), ids: ids.join(' '), cards: ids.length };
  const before = account.page;
  account.page = now;
  if (before?.asked !== now.asked || now.number !== before.number + 1 || !isBefore(before.span, seen) || now.cards < 2) return;
  const isQuiet = account.stirs.every((each) => isBefore(seen, each) || gap(each, before.span) > QUIET);
  const own = account.cards.filter((card) => card.made && isBefore(card.made.span, before.span) && card.isStillAt(seen));
  // All cards that are counted were made here, and so many that something stands on this page.
  const isThere = before.cards === size && own.length > now.number * size && typeof count === 'number' && count <= own.length;
  if (before.ids !== now.ids) docket.holds('list.page-number-from-zero');
  else if (isQuiet && isThere && parameters.since === undefined)
    docket.contradicts(
      'list.page-number-from-zero',
      `Page ${now.number} of the list holds the cards of page ${before.number}.`,
      before.span.n,
      seen.n,
    );
}
