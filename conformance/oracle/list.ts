import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { leaves } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { type Call, cardIn, fieldsOf } from './call.ts';
import { isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { exactInstantOf } from './record.ts';
import { isBefore, MINUTE, pause, SECOND, type Span } from './span.ts';
import { checkShown } from './state.ts';

const defaultSize = clauseValues['list.page-size-default'];
const maximumSize = clauseValues['list.page-size-maximum'];

/** What the query asked for, and what the page has. */
interface Page {
  readonly call: Call;
  readonly cards: readonly unknown[];
  readonly total: unknown;
  /** Undefined for a size that the specification does not allow. */
  readonly size: number | undefined;
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly since: number | undefined;
  /** Where the known cards are on the page. */
  readonly places: ReadonlyMap<KnownCard, number>;
}

export function checkList(call: Call, account: Account, findings: Findings): void {
  const { answer, parameters, status, isAmbiguous } = call;
  const { giftCards: cards, totalCount: total } = fieldsOf(answer) ?? {};
  const number = Number(parameters.pageNumber ?? 0);
  const since = exactInstantOf(parameters.since);
  if (status !== 200 || !Array.isArray(cards) || isAmbiguous || !Number.isInteger(number)) return;
  if (parameters.since !== undefined && since === undefined) return;
  const size = sizeOf(parameters.pageSize);
  const page: Page = { call, cards, total, size, number, since, places: placesOf(account, cards) };
  checkSize(page, findings);
  checkTwice(page, findings);
  checkTotal(page, account, findings);
  for (const card of cards) checkShown(call, account, fieldsOf(card) ?? {}, 'list.wraps-cards-and-total', findings);
  checkNextPage(page, account, findings);
  if (number === 0 && size !== undefined && cards.length < size) checkComplete(page, account, findings);
  for (const card of page.places.keys()) checkSince(page, card, findings);
  if (number === 0 && since === undefined) checkOrder(page, findings);
}

function sizeOf(given: string | undefined): number | undefined {
  if (given === undefined) return defaultSize;
  const size = /^\d+$/.test(given) ? Number(given) : 0;
  return size >= 1 && size <= maximumSize ? size : undefined;
}

function placesOf(account: Account, cards: readonly unknown[]): Map<KnownCard, number> {
  const places = new Map<KnownCard, number>();
  for (const [place, shown] of cards.entries()) {
    // How an entry shows its card is open.
    const names = cardIn(shown);
    const values = names ? [names.id] : leaves(shown).map(({ value }) => String(value));
    const byId = values.flatMap((value) => account.byId(value) ?? []);
    const byCode = values.map((value) => account.holdersOf(value)).find((holders) => holders.length === 1) ?? [];
    const [card] = [...byId, ...byCode];
    if (card && !places.has(card)) places.set(card, place);
  }
  return places;
}

function checkSize({ call, cards, size }: Page, findings: Findings): void {
  const { pageSize } = call.parameters;
  const clause: ClauseName =
    pageSize === undefined ? 'list.page-size-default' : size === undefined ? 'list.page-size-maximum' : 'list.page-size-limits';
  if (cards.length <= (size ?? maximumSize)) findings.holds(clause);
  else findings.violated(clause, `A page of at most ${size ?? maximumSize} cards has ${cards.length}.`, call.span.n);
}

/** One card is not twice on a page, and two cards in use do not have one code. */
function checkTwice({ call, cards }: Page, findings: Findings): void {
  const ids = cards.flatMap((each) => cardIn(each)?.id ?? []);
  if (new Set(ids).size < ids.length)
    findings.violated('list.wraps-cards-and-total', 'A page of the list has the same card twice.', call.span.n);
  const holders = new Map<string, string>();
  for (const shown of cards) {
    const names = cardIn(shown);
    const status = fieldsOf(shown)?.status;
    // Whether a deleted card keeps its code is open.
    if (!names || (status !== 'Active' && status !== 'Redeemed') || 'includeAll' in call.parameters) continue;
    const other = holders.get(names.code);
    if (other !== undefined && other !== names.id)
      findings.violated('gift-card.create.refuses-taken-code', 'Two cards in use have one code.', call.span.n);
    holders.set(names.code, names.id);
  }
}

/** What exactly totalCount counts is open, but it is not less than the page has. */
function checkTotal({ call, cards, total }: Page, account: Account, findings: Findings): void {
  const { span } = call;
  if (typeof total !== 'number') return;
  if (!Number.isInteger(total) || total < 0)
    findings.violated('list.wraps-cards-and-total', `totalCount is ${total}, which is not a count.`, span.n);
  else if (total < cards.length && !account.mayChangeDuring(span))
    findings.possible('list.wraps-cards-and-total', `totalCount is ${total}, and the page has ${cards.length} cards.`, span.n);
}

/** Two pages in a row do not have the same card, if nothing changes the list in between. What a page after the last one has is open. */
function checkNextPage({ call, cards, number, total, size }: Page, account: Account, findings: Findings): void {
  const { span, parameters } = call;
  const { pageNumber: _, ...others } = parameters;
  const before = account.lastPage;
  const ids = cards.flatMap((each) => cardIn(each)?.id ?? []);
  account.lastPage = { span, query: JSON.stringify(others), number, ids };
  if (before?.query !== JSON.stringify(others) || before.number + 1 !== number || !isBefore(before.span, span)) return;
  const isInside = size !== undefined && typeof total === 'number' && total > number * size && before.ids.length === size;
  if (!isInside || parameters.since !== undefined || !account.isQuietBetween(before.span, span)) return;
  // totalCount may count deleted cards, so that the page may be after the last one.
  const own = account.cards.filter((card) => card.isUnexpired(span) && isBefore(card.creation?.span ?? span, before.span));
  if (own.length <= number * size) return;
  if (!ids.some((id) => before.ids.includes(id))) findings.holds('list.page-number-from-zero');
  else
    findings.possible(
      'list.page-number-from-zero',
      `Page ${number} of the list has a card of page ${number - 1}.`,
      ...[before.span.n, span.n],
    );
}

/** A first page that is not full has all cards that were created here. */
function checkComplete({ call, cards, places, since }: Page, account: Account, findings: Findings): void {
  const { span } = call;
  const listed = new Set(places.values());
  if (cards.some((each, place) => !cardIn(each) && !listed.has(place))) return;
  const created = account.cards.filter(({ creation }) => creation && isBefore(creation.span, span));
  if (call.parameters.pageSize === undefined && since === undefined && created.length >= defaultSize) {
    findings.possible(
      'list.page-size-default',
      `A page without pageSize has ${cards.length} cards of ${created.length}.`,
      span.n,
    );
    return;
  }
  const missing = new Set<ClauseName>();
  for (const card of created) {
    const { issuedAt, span: creation } = card.creation ?? { issuedAt: undefined, span };
    if (since !== undefined && (issuedAt === undefined || issuedAt <= since + SECOND)) continue;
    const clause = since === undefined ? listedClause(card, span) : 'list.since-is-strictly-after';
    if (places.has(card)) findings.holds(clause);
    else if (!missing.has(clause)) {
      missing.add(clause);
      findings.possible(clause, `${card.name} is not on the only page of the list.`, creation.n, span.n);
    }
  }
}

/** Why the card must be listed. */
function listedClause(card: KnownCard, span: Span): ClauseName {
  if (card.voidBefore(span)) return 'list.includes-voided';
  const look = card.lookBefore(span);
  const isUnchanged = card.changes.every((each) => look && isBefore(each.span, look.span));
  const isEmpty = look !== undefined && (look.status === 'Redeemed' || isSameAmount(look.balance, 0));
  return isEmpty && isUnchanged && !card.mayBeVoided(span) ? 'list.includes-redeemed' : 'list.wraps-cards-and-total';
}

function checkSince({ call, since }: Page, card: KnownCard, findings: Findings): void {
  const { creation } = card;
  if (since === undefined || creation?.issuedAt === undefined || !isBefore(creation.span, call.span)) return;
  // A time may be shown without its milliseconds.
  if (creation.issuedAt >= since - SECOND) findings.holds('list.since-goes-by-issue');
  else
    findings.violated(
      'list.since-goes-by-issue',
      `${card.name} is listed, but was issued before since.`,
      ...[creation.span.n, call.span.n],
    );
}

/** The card updated last is first. Updates in the background may follow a change within a minute. */
function checkOrder({ call, places }: Page, findings: Findings): void {
  const updated = [...places].flatMap(([card, place]) => {
    const last = lastUpdate(card, call.span);
    return last ? [{ card, place, last }] : [];
  });
  for (const later of updated.slice(0, 50)) {
    const earlier = updated.find(({ last }) => isBefore(last, later.last) && pause(last, later.last) > MINUTE);
    if (!earlier) continue;
    if (later.place < earlier.place) findings.holds('list.last-updated-first');
    else
      findings.possible(
        'list.last-updated-first',
        `${later.card.name}, updated in exchange ${later.last.n}, is after ${earlier.card.name}, updated in exchange ${earlier.last.n}.`,
        ...[earlier.last.n, later.last.n, call.span.n],
      );
  }
}

/** Undefined if it is not certain, or if the card may change by itself. A second void may be an update or not. */
function lastUpdate(card: KnownCard, span: Span): Span | undefined {
  if (!card.creation || !card.isUnexpired(span) || card.voids.length > 1 || card.doubts.length > 0) return undefined;
  const all = [card.creation, ...card.changes, ...card.voids].map((each) => each.span).sort((a, b) => a.ended - b.ended);
  return all.every((each) => isBefore(each, span)) ? all.at(-1) : undefined;
}
