import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { instantOf, isAmount, leaves, mentions } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { byOf, type Call, cardIn, cardNameIn, type Fields, fieldsOf } from './call.ts';
import { type Change, isSameAmount, type KnownCard } from './card.ts';
import { checkNotFound } from './cards.ts';
import type { Findings } from './findings.ts';
import { onlyListIn } from './record.ts';
import { isBefore, MINUTE, pause, SECOND, type Span } from './span.ts';
import { checkShown } from './state.ts';

/** A history has the card and its adjustments, the newest first, and nothing that was refused. */
export function checkHistory(call: Call, account: Account, findings: Findings): void {
  const { span, status, outcome, answer } = call;
  const clause: ClauseName =
    byOf(call) === 'code'
      ? 'adjustment.history.by-code-shows-card-and-entries'
      : 'adjustment.history.by-id-shows-card-and-entries';
  if (status === 404) checkNotFound(call, account, clause, findings);
  const card = account.only(byOf(call), cardNameIn(call));
  if (outcome !== 'accepted' || answer === undefined || !card?.isKnownBefore(span)) return;
  if (mentions(answer, card.code) || leaves(answer).some(({ value }) => String(value).toLowerCase() === card.id?.toLowerCase()))
    findings.holds(clause);
  else findings.violated(clause, `The history of ${card.name} does not show the card.`, span.n);
  const shown = cardWithBalance(answer);
  if (shown && cardIn(shown)?.id === card.id) checkShown(call, account, shown, clause, findings);
  const rows = onlyListIn(answer);
  // Without a number in each entry, amounts are written in a way that is not known here.
  if (!rows?.every(hasNumber)) return;
  for (const { notes, span: refused } of card.refusals) {
    const isOwn =
      notes !== undefined && card.creation && card.doubts.length === 0 && card.changes.every((each) => each.notes !== notes);
    if (isOwn && isBefore(refused, span) && rows.some((row) => mentions(row, notes)))
      findings.possible(
        'errors.refusal-changes-nothing',
        `The history of ${card.name} has an adjustment that was refused.`,
        ...[refused.n, span.n],
      );
  }
  checkEntries(span, card, rows, findings);
}

/** The first object outside of lists that looks like a card. */
function cardWithBalance(json: unknown): Fields | undefined {
  const fields = fieldsOf(json);
  if (!fields) return undefined;
  if ('balance' in fields && cardIn(fields)) return fields;
  for (const inner of Object.values(fields)) {
    const found = cardWithBalance(inner);
    if (found) return found;
  }
  return undefined;
}

const isNamed = (path: string) => /id$/i.test(path);
const hasNumber = (row: unknown): boolean => leaves(row).some(({ path, value }) => typeof value === 'number' && !isNamed(path));

/** An adjustment whose entry can be told from all others by its amount. */
interface Identified {
  readonly change: Change;
  /** Its place in the list; undefined if it is not there. */
  readonly place: number | undefined;
}

function checkEntries(span: Span, card: KnownCard, rows: readonly unknown[], findings: Findings): void {
  const identified = identify(span, card, rows);
  for (const { change, place } of identified) {
    if (place !== undefined) checkEntry(span, card, change, rows[place], findings);
    else if (rows.some((row) => isNoted(row, change, card)))
      findings.possible(
        'adjustment.history.entry-tells-amount-type-notes-time',
        `The entry of exchange ${change.span.n} in the history of ${card.name} has another amount.`,
        ...[change.span.n, span.n],
      );
    // A history may be cut off, but only its older entries are.
    else if (identified.some((other) => other.place !== undefined && isNewer(change, other.change)))
      findings.possible(
        'adjustment.recorded-in-history',
        `The history of ${card.name} has no entry of the adjustment in exchange ${change.span.n}, but an older one.`,
        ...[change.span.n, span.n],
      );
  }
  for (const newer of identified) {
    const older = identified.find(({ change, place }) => place !== undefined && isNewer(newer.change, change));
    if (newer.place === undefined || older?.place === undefined) continue;
    if (newer.place < older.place) findings.holds('adjustment.history.newest-first');
    else
      findings.possible(
        'adjustment.history.newest-first',
        `The history of ${card.name} has the adjustment of exchange ${newer.change.span.n} after that of exchange ${older.change.span.n}.`,
        ...[older.change.span.n, newer.change.span.n, span.n],
      );
  }
}

/** Whether the entry has the notes that this adjustment alone has. */
const isNoted = (row: unknown, { notes }: Change, card: KnownCard): boolean =>
  notes !== undefined && mentions(row, notes) && card.changes.filter((each) => each.notes === notes).length === 1;

/** Services may add entries of their own, such as of the issue or the void, so that only an amount that nothing else has identifies an adjustment. */
function identify(span: Span, card: KnownCard, rows: readonly unknown[]): readonly Identified[] {
  const initial = card.creation?.balance;
  if (typeof initial !== 'number' || card.mayBeVoided(span) || !card.isUnexpired(span)) return [];
  const same = (one: number | undefined, other: number) => one === undefined || isSameAmount(Math.abs(one), Math.abs(other));
  return card.changes.flatMap((change): Identified[] => {
    const { amount } = change;
    if (amount === undefined || !isBefore(change.span, span) || same(initial, amount)) return [];
    if (card.changes.filter((each) => same(each.amount, amount)).length > 1) return [];
    const places = rows.flatMap((row, place) => (leaves(row).some(({ value }) => isAmount(value, amount)) ? [place] : []));
    return places.length > 1 ? [] : [{ change, place: places[0] }];
  });
}

/** Newer by every time that a history may be ordered by, and not within one tick of a clock. */
const isNewer = (one: Change, other: Change): boolean =>
  isBefore(other.span, one.span) &&
  pause(other.span, one.span) > SECOND &&
  one.actionedAt !== undefined &&
  other.actionedAt !== undefined &&
  one.actionedAt - other.actionedAt >= SECOND;

function checkEntry(span: Span, card: KnownCard, change: Change, row: unknown, findings: Findings): void {
  findings.holds('adjustment.recorded-in-history');
  const { notes, actionedAt } = change;
  const what = `The entry of exchange ${change.span.n} in the history of ${card.name}`;
  const values = leaves(row).filter(({ path }) => !isNamed(path));
  const texts = values.flatMap(({ value }) => (typeof value === 'string' && instantOf(value) === undefined ? [value] : []));
  if (texts.some((text) => notes !== undefined && text.includes(notes.trim()))) findings.holds('adjustment.keeps-notes');
  // The type may be a number, but notes are a text.
  else if (notes !== undefined && texts.length === 0)
    findings.possible('adjustment.keeps-notes', `${what} has no notes.`, change.span.n, span.n);
  // What happens to a time in the future is open.
  if (actionedAt === undefined || actionedAt > change.span.at) return;
  const times = values.flatMap(({ value }) => (isExact(value) ? [instantOf(value) ?? 0] : []));
  if (times.some((time) => Math.abs(time - actionedAt) < MINUTE)) findings.holds('adjustment.keeps-actioned-at');
  // A date without a time, or without a zone, may be the right one.
  else if (times.length > 0 && values.every(({ value }) => isExact(value) || !/\d{4}-\d{2}-\d{2}/.test(String(value))))
    findings.possible('adjustment.keeps-actioned-at', `${what} has another time than the adjustment.`, change.span.n, span.n);
}

const isExact = (value: unknown): boolean => instantOf(value) !== undefined && /(Z|[+-]\d{2}:?\d{2})$/i.test(String(value));
