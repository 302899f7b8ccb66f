import { type ClauseName, clauseValues } from '../../openapi/generated/clauses.ts';
import { leaves } from '../http/json-search.ts';
import { type Account, isSameAmount, type KnownCard } from './account.ts';
import { type Call, cardNamesIn, fieldsOf, isBefore, SECOND, type Span } from './call.ts';
import { checkCardState } from './card-state.ts';
import type { Findings } from './findings.ts';
import { exactInstantOf } from './record.ts';

const defaultSize = clauseValues['list.page-size-default'];
const maximumSize = clauseValues['list.page-size-maximum'];

export function checkList(call: Call, account: Account, findings: Findings): void {
  const { span, answer, parameters, status, isAmbiguous } = call;
  const { giftCards: entries, totalCount } = fieldsOf(answer) ?? {};
  const number = Number(parameters.pageNumber ?? 0);
  const since = exactInstantOf(parameters.since);
  if (status !== 200 || !Array.isArray(entries) || isAmbiguous || !Number.isInteger(number)) return;
  if (parameters.since !== undefined && since === undefined) return;
  const size = sizeOf(parameters.pageSize);
  const most = size ?? maximumSize;
  const what = `A page of at most ${most} cards has ${entries.length}.`;
  findings.check(entries.length <= most, sizeClause(parameters.pageSize, size), what);
  checkDistinct(entries, 'includeAll' in parameters, findings);
  if (typeof totalCount === 'number' && !(Number.isInteger(totalCount) && totalCount >= 0))
    findings.check(false, 'list.wraps-cards-and-total', `totalCount is ${totalCount}, which is not a count.`);
  for (const entry of entries) checkCardState(call, account, fieldsOf(entry) ?? {}, 'list.wraps-cards-and-total', findings);
  const cards = entries.map((entry) => cardIn(entry, account));
  const isRecognized = entries.every((entry, index) => cards[index] || cardNamesIn(entry));
  if (number === 0 && size !== undefined && entries.length < size && isRecognized)
    checkComplete(span, since, new Set(cards), account, findings);
  for (const card of new Set(cards)) if (card && since !== undefined) checkSince(span, since, card, findings);
}

/** Undefined for a size that the specification does not allow. */
function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return defaultSize;
  const size = /^\d+$/.test(text) ? Number(text) : 0;
  return size >= 1 && size <= maximumSize ? size : undefined;
}

function sizeClause(text: string | undefined, size: number | undefined): ClauseName {
  if (text === undefined) return 'list.page-size-default';
  return size === undefined ? 'list.page-size-maximum' : 'list.page-size-limits';
}

/** The known card of an entry. The form of an entry is open. */
function cardIn(entry: unknown, account: Account): KnownCard | undefined {
  const names = cardNamesIn(entry);
  const values = names ? [names.id] : leaves(entry).map(({ value }) => String(value));
  const byId = values.map((value) => account.cardById(value)).find(Boolean);
  return byId ?? values.map((value) => account.holdersOf(value)).find((holders) => holders.length === 1)?.[0];
}

/** A page does not have one card twice, and two cards in use do not have one code. */
function checkDistinct(entries: readonly unknown[], mayHaveDeleted: boolean, findings: Findings): void {
  const named = entries.map((entry) => ({ ...cardNamesIn(entry), status: fieldsOf(entry)?.status }));
  const ids = named.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length)
    findings.check(false, 'list.wraps-cards-and-total', 'A page of the list has the same card twice.');
  // Whether a deleted card keeps its code is open.
  if (mayHaveDeleted) return;
  const inUse = named.filter(({ id, status }) => id !== undefined && (status === 'Active' || status === 'Redeemed'));
  if (new Set(inUse.map(({ code }) => code)).size < new Set(inUse.map(({ id }) => id)).size)
    findings.check(false, 'gift-card.create.refuses-taken-code', 'Two cards in use have one code.');
}

/** A first page that is not full has all cards that were created here. */
function checkComplete(
  span: Span,
  since: number | undefined,
  cards: ReadonlySet<KnownCard | undefined>,
  account: Account,
  findings: Findings,
): void {
  const missing = new Set<ClauseName>();
  for (const card of account.cards) {
    const { creation } = card;
    if (!creation || !isBefore(creation.span, span)) continue;
    if (since !== undefined && (creation.issuedAt === undefined || creation.issuedAt <= since + SECOND)) continue;
    const clause = since === undefined ? listedClause(card, span) : 'list.since-is-strictly-after';
    // One missing card shows it.
    if (missing.has(clause)) continue;
    if (!cards.has(card)) missing.add(clause);
    findings.checkPossible(cards.has(card), clause, `${card.name} is not on the only page of the list.`, creation.span);
  }
}

/** The clause by which the list includes the card. */
function listedClause(card: KnownCard, span: Span): ClauseName {
  if (card.voidBefore(span)) return 'list.includes-voided';
  const look = card.lookBefore(span);
  const isUnchanged = card.changes.every((each) => look && isBefore(each.span, look.span));
  const isEmpty = look !== undefined && (look.status === 'Redeemed' || isSameAmount(look.balance, 0));
  return isEmpty && isUnchanged && !card.mayBeVoided(span) ? 'list.includes-redeemed' : 'list.wraps-cards-and-total';
}

function checkSince(span: Span, since: number, { name, creation }: KnownCard, findings: Findings): void {
  if (creation?.issuedAt === undefined || !isBefore(creation.span, span)) return;
  // The answer may have the time without its milliseconds.
  const isLater = creation.issuedAt >= since - SECOND;
  findings.check(isLater, 'list.since-goes-by-issue', `${name} is listed, but was issued before since.`, creation.span);
}
