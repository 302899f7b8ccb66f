import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { leaves, mentions, placeOf } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { cardIn, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { judgeBalance } from './balances.ts';
import { type Change, isSame, type SeenCard } from './card.ts';
import { Entries } from './entries.ts';
import { cardOf, wayOf } from './learn.ts';
import { momentsIn } from './moments.ts';
import { DAY, gap, isBefore, MINUTE, SECOND } from './span.ts';
import { isAlone, isWhole, mayBeOfService, timesMoved } from './whole.ts';

/** A history holds the card and what was booked, nothing that was refused, and the newest first. */
export function judgeHistory(read: Read, account: SeenAccount, docket: Docket): void {
  const card = cardMeant(read, account);
  const { seen, told } = read;
  if (read.status === 404 && card?.known && card.isKnownBefore(seen) && !card.mayBeVoidedAt(seen))
    docket.contradicts(
      showing(read),
      `${card.name} was there in exchange ${card.known.n}, and its history is not found by ${wayOf(read)}.`,
      card.known.n,
      seen.n,
    );
  if (!card || !read.accepted || told === undefined) return;
  judgeCard(read, account, card, docket);
  const booked = card.changes.filter(({ span, inDoubt, amount }) => !inDoubt && amount !== undefined && isBefore(span, seen));
  const entries = new Entries(told, booked);
  const history: History = { card, entries, isWhole: isWhole(read, account), mayBeVoided: account.mayBeVoidedAt(card, seen) };
  for (const change of booked) judgeEntry(read, history, change, docket);
  judgeTwice(read, card, entries, docket);
  for (const { notes, span } of card.refusals) {
    if (notes === undefined || !isBefore(span, seen) || card.changes.some((change) => change.notes === notes)) continue;
    // What was refused may be the repeat of one that did not pass here.
    if (entries.rows.some((row) => mentions(row, notes)))
      docket.contradicts(
        'errors.refusal-changes-nothing',
        `An adjustment of ${card.name} that was refused stands in its history.`,
        span.n,
        seen.n,
      );
  }
  judgeOrder(read, history, docket);
}

/** The card that was asked for; of several that have had the code, the one that is answered. */
function cardMeant(read: Read, account: SeenAccount): SeenCard | undefined {
  const card = cardOf(read, account);
  if (!card || wayOf(read) === 'ID' || account.othersMeant(card).length === 0) return card;
  let id: string | undefined;
  placeOf(read.told, (object) => {
    id = 'balance' in object ? cardIn(object)?.id : undefined;
    return id !== undefined;
  });
  return id === undefined ? undefined : account.byId(id);
}

const showing = (read: Read): ClauseName =>
  wayOf(read) === 'code'
    ? 'adjustment.history.by-code-shows-card-and-entries'
    : 'adjustment.history.by-id-shows-card-and-entries';

function judgeCard(read: Read, account: SeenAccount, card: SeenCard, docket: Docket): void {
  const { seen, told } = read;
  const clause = showing(read);
  if (card.code === undefined || card.id === undefined) return;
  const isThere = leaves(told).some(({ value }) => value === card.code || String(value) === card.id);
  if (isThere) docket.holds(clause);
  else docket.violates(clause, `The history of ${card.name} shows nothing of the card itself.`, seen.n);
  // An entry may show the card as it was.
  let shown: { readonly balance: number; readonly status: unknown } | undefined;
  placeOf(told, (object) => {
    const { balance, status } = object;
    const isIt = cardIn(object)?.id === card.id && cardIn(object)?.code === card.code && typeof balance === 'number';
    if (isIt) shown = { balance, status };
    return isIt;
  });
  if (shown && !card.mayBeVoidedAt(seen)) judgeBalance(read, account, card, shown, clause, docket);
}

interface History {
  readonly card: SeenCard;
  readonly entries: Entries;
  readonly isWhole: boolean;
  /** So that there may be an entry of the void, of any amount. */
  readonly mayBeVoided: boolean;
}

type Say = Docket['violates'];

/** How to say that something is wrong with the entry of a change; undefined where another entry may be taken for it, because that one itself is cut off. */
function sayerOf({ card, isWhole, mayBeVoided }: History, change: Change, docket: Docket): Say | undefined {
  if (isWhole) return docket.violates.bind(docket);
  return !mayBeVoided && isAlone(card, change) ? docket.contradicts.bind(docket) : undefined;
}

function judgeEntry({ seen }: Read, history: History, change: Change, docket: Docket): void {
  const { card, entries, isWhole } = history;
  const { amount = 0, notes, span } = change;
  const words = `The adjustment of ${card.name} by ${amount.toFixed(2)} in exchange ${span.n}`;
  if (!entries.has(change)) {
    const missing = `${words} does not stand in its history with an entry of its own and its amount.`;
    if (entries.isUnclear) return;
    if (isWhole) docket.violates('adjustment.recorded-in-history', missing, span.n, seen.n);
    // The newest stand first, so that what is cut is older than all that is there.
    else if (
      timesMoved(card, change) === 1 &&
      entries.booked.some((other) => isEarlier(other, change) && isAlone(card, other) && entries.tellsNotesOf(other))
    )
      docket.contradicts('adjustment.recorded-in-history', missing, span.n, seen.n);
    return;
  }
  docket.holds('adjustment.recorded-in-history');
  const say = sayerOf(history, change, docket);
  if (entries.tellsNotesOf(change)) docket.holds('adjustment.keeps-notes');
  // Something may stand before or after them, so that they are gone for sure only where the entry says nothing that one with other notes does not say as well.
  else if (notes !== undefined && lacks(entries, change, (other) => other.notes?.trim() !== notes.trim()))
    say?.('adjustment.keeps-notes', `${words} stands in its history without its notes.`, span.n, seen.n);
  judgeMoment(seen.n, words, change, entries, docket, say);
}

/** Whether what an entry says cannot be what was given; others had something else given. */
function lacks(entries: Entries, change: Change, isOther: (other: Change) => boolean): boolean {
  if (entries.rowsOf(change).every((row) => entries.textsOf(row).length === 0)) return true;
  return entries.booked.some((other) => {
    const like = entries.booked.filter(({ amount = 0 }) => isSame(Math.abs(amount), Math.abs(other.amount ?? 0)));
    // Which of several entries of one amount stands for which change, nobody knows.
    const areOthers = like.every(isOther) && entries.rowsOf(other).length <= like.length;
    return areOthers && entries.saysNoMoreThan(change, other);
  });
}

function judgeMoment(n: number, words: string, change: Change, entries: Entries, docket: Docket, say: Say | undefined): void {
  const { actionedAt, span } = change;
  const moments = entries.rowsOf(change).flatMap((row) => [...momentsIn(row).values()]);
  // What becomes of a moment in the future is open.
  if (actionedAt === undefined || actionedAt > span.at) return;
  const isFar = (moment = Number.NaN, most = MINUTE) => Math.abs(moment - actionedAt) >= most;
  if (moments.some(({ at, slack }) => slack === 0 && !isFar(at))) docket.holds('adjustment.keeps-actioned-at');
  else if (moments.some(({ at, slack }) => !isFar(at, slack + MINUTE))) return;
  // Of one day there may be a date and no more.
  else if (!lacks(entries, change, (other) => isFar(other.actionedAt, 2 * DAY))) return;
  else if (moments.length === 0)
    say?.('adjustment.history.entry-tells-amount-type-notes-time', `${words} stands in its history without a time.`, span.n, n);
  else
    say?.(
      'adjustment.keeps-actioned-at',
      `${words} stands in its history with other times than that at which it happened.`,
      span.n,
      n,
    );
}

/** The same entry, letter by letter, more often than anything of its amount was booked. */
function judgeTwice({ seen }: Read, card: SeenCard, entries: Entries, docket: Docket): void {
  for (const change of entries.booked) {
    const { amount = 0, span } = change;
    const times = entries.timesOf(change);
    if (times <= timesMoved(card, change) + (mayBeOfService(card, change) ? 1 : 0)) continue;
    docket.contradicts(
      'adjustment.recorded-in-history',
      `The adjustment of ${card.name} by ${amount.toFixed(2)} in exchange ${span.n} stands in its history ${times} times, word by word.`,
      span.n,
      seen.n,
    );
  }
}

/** Two adjustments within one tick may stand in any order, unless their entries tell them apart, and by which of its times a history is ordered is open. */
const TICK = 1_100;
function judgeOrder({ seen }: Read, history: History, docket: Docket): void {
  const { card, entries, isWhole, mayBeVoided } = history;
  if (mayBeVoided || entries.isUnclear) return;
  const placed = entries.booked.flatMap((change) => {
    const place = sayerOf(history, change, docket) && entries.placeOf(change);
    return place === undefined ? [] : [{ change, place }];
  });
  for (const [index, later] of placed.entries()) {
    const earlier = placed
      .slice(0, index)
      .find(
        ({ change, place }) =>
          isEarlier(change, later.change) &&
          (gap(change.span, later.change.span) > TICK || isShownEarlier(entries.list[place], entries.list[later.place])),
      );
    if (!earlier) continue;
    if (later.place < earlier.place) docket.holds('adjustment.history.newest-first');
    else
      docket[isWhole ? 'violates' : 'contradicts'](
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
  one.actionedAt !== undefined &&
  other.actionedAt !== undefined &&
  other.actionedAt - one.actionedAt >= SECOND;

/** By each of the times that both entries tell, of which there are as many as can matter. */
function isShownEarlier(one: unknown, other: unknown): boolean {
  const [moments, others] = [momentsIn(one), momentsIn(other)];
  const both = [...moments].flatMap(([path, moment]) => {
    const other = others.get(path);
    return other && moment.slack + other.slack === 0 ? [other.at - moment.at] : [];
  });
  return both.length > 1 && both.every((later) => later > 0);
}
