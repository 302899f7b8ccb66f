import { type ClauseName, clauseValues } from '../../openapi/generated/clauses.ts';
import { leaves } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { type Call, cardNamesIn, fieldsOf } from './call.ts';
import { isSameAmount, type KnownCard } from './card.ts';
import { checkCardState } from './card-state.ts';
import type { Findings } from './findings.ts';
import { exactInstantOf } from './record.ts';
import { isBefore, SECOND, type Span } from './span.ts';

const defaultSize = clauseValues['list.page-size-default'];
const maximumSize = clauseValues['list.page-size-maximum'];

/** The values of the query, and the cards in the answer. */
interface Page {
  readonly call: Call;
  readonly entries: readonly unknown[];
  /** Undefined for a size that the specification does not allow. */
  readonly size: number | undefined;
  /** In milliseconds since 1970. */
  readonly since: number | undefined;
  /** The known cards on the page. */
  readonly cards: ReadonlySet<KnownCard>;
}

export function checkList(call: Call, account: Account, findings: Findings): void {
  const { span, answer, parameters, status, isAmbiguous } = call;
  const { giftCards: entries, totalCount } = fieldsOf(answer) ?? {};
  const number = Number(parameters.pageNumber ?? 0);
  const since = exactInstantOf(parameters.since);
  if (status !== 200 || !Array.isArray(entries) || isAmbiguous || !Number.isInteger(number)) return;
  if (parameters.since !== undefined && since === undefined) return;
  const size = sizeOf(parameters.pageSize);
  const page: Page = { call, entries, size, since, cards: new Set(entries.flatMap((entry) => cardIn(entry, account) ?? [])) };
  checkSize(page, findings);
  checkDistinct(page, findings);
  if (typeof totalCount === 'number' && !(Number.isInteger(totalCount) && totalCount >= 0))
    findings.addViolation('list.wraps-cards-and-total', `totalCount is ${totalCount}, which is not a count.`, span.n);
  for (const entry of entries) checkCardState(call, account, fieldsOf(entry) ?? {}, 'list.wraps-cards-and-total', findings);
  if (number === 0 && size !== undefined && entries.length < size) checkComplete(page, account, findings);
  for (const card of page.cards) checkSince(page, card, findings);
}

function sizeOf(text: string | undefined): number | undefined {
  if (text === undefined) return defaultSize;
  const size = /^\d+$/.test(text) ? Number(text) : 0;
  return size >= 1 && size <= maximumSize ? size : undefined;
}

/** The known card of an entry. The form of an entry is open. */
function cardIn(entry: unknown, account: Account): KnownCard | undefined {
  const names = cardNamesIn(entry);
  const values = names ? [names.id] : leaves(entry).map(({ value }) => String(value));
  const byId = values.map((value) => account.cardById(value)).find(Boolean);
  return byId ?? values.map((value) => account.holdersOf(value)).find((holders) => holders.length === 1)?.[0];
}

function checkSize({ call, entries, size }: Page, findings: Findings): void {
  const { pageSize } = call.parameters;
  const clause: ClauseName =
    pageSize === undefined ? 'list.page-size-default' : size === undefined ? 'list.page-size-maximum' : 'list.page-size-limits';
  const most = size ?? maximumSize;
  findings.check(entries.length <= most, clause, `A page of at most ${most} cards has ${entries.length}.`, call.span.n);
}

/** A page does not have one card twice, and two cards in use do not have one code. */
function checkDistinct({ call, entries }: Page, findings: Findings): void {
  const ids = entries.flatMap((entry) => cardNamesIn(entry)?.id ?? []);
  if (new Set(ids).size < ids.length)
    findings.addViolation('list.wraps-cards-and-total', 'A page of the list has the same card twice.', call.span.n);
  // Whether a deleted card keeps its code is open.
  if ('includeAll' in call.parameters) return;
  const idsByCode = new Map<string, string>();
  for (const entry of entries) {
    const names = cardNamesIn(entry);
    const status = fieldsOf(entry)?.status;
    if (!names || (status !== 'Active' && status !== 'Redeemed')) continue;
    if ((idsByCode.get(names.code) ?? names.id) !== names.id)
      findings.addViolation('gift-card.create.refuses-taken-code', 'Two cards in use have one code.', call.span.n);
    idsByCode.set(names.code, names.id);
  }
}

/** A first page that is not full has all cards that were created here. */
function checkComplete({ call, entries, cards, since }: Page, account: Account, findings: Findings): void {
  const { span } = call;
  if (entries.some((entry) => !cardNamesIn(entry) && !cardIn(entry, account))) return;
  const missing = new Set<ClauseName>();
  for (const card of account.cards) {
    const { creation } = card;
    if (!creation || !isBefore(creation.span, span)) continue;
    if (since !== undefined && (creation.issuedAt === undefined || creation.issuedAt <= since + SECOND)) continue;
    const clause = since === undefined ? listedClause(card, span) : 'list.since-is-strictly-after';
    if (cards.has(card)) findings.addHeld(clause);
    else if (!missing.has(clause)) {
      missing.add(clause);
      findings.addPossible(clause, `${card.name} is not on the only page of the list.`, creation.span.n, span.n);
    }
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

function checkSince({ call, since }: Page, { name, creation }: KnownCard, findings: Findings): void {
  if (since === undefined || creation?.issuedAt === undefined || !isBefore(creation.span, call.span)) return;
  findings.check(
    // The answer may have the time without its milliseconds.
    creation.issuedAt >= since - SECOND,
    'list.since-goes-by-issue',
    `${name} is listed, but was issued before since.`,
    ...[creation.span.n, call.span.n],
  );
}
