import { type RuleName, ruleValues } from '../../openapi/generated/rules.ts';
import { issueTime, leaves } from '../http/json-search.ts';
import { isSameAmount, type KnownAccount, type KnownCard } from './account.ts';
import { cardNamesIn, fieldsOf, isBefore, type ObservedCall, SECOND, type Span } from './call.ts';
import { checkCardState } from './card-state.ts';
import type { Findings, OracleCheck } from './findings.ts';
import { checkListOrder } from './order.ts';
import { exactInstantOf } from './record.ts';

const defaultSize = ruleValues['list.page-size-default'];
const maximumSize = ruleValues['list.page-size-maximum'];

export function checkList(check: OracleCheck): void {
  const { call, account, findings } = check;
  const { response, parameters, status, isAmbiguous } = call;
  const { giftCards: entries, totalCount } = fieldsOf(response) ?? {};
  const number = Number(parameters.pageNumber ?? 0);
  const since = exactInstantOf(parameters.since);
  if (status !== 200 || !Array.isArray(entries) || isAmbiguous || !Number.isInteger(number)) return;
  if (parameters.since !== undefined && since === undefined) return;
  const { most, limit } = pageLimit(parameters.pageSize);
  findings.check(entries.length <= most, limit, `A page has ${entries.length} cards; at most ${most} are allowed.`);
  checkDistinct(entries, 'includeAll' in parameters, findings);
  if (typeof totalCount === 'number' && !(Number.isInteger(totalCount) && totalCount >= 0))
    findings.check(false, 'list.wraps-cards-and-total', `totalCount is ${totalCount}; it must be a whole number of at least 0.`);
  for (const entry of entries) checkCardState(check, fieldsOf(entry) ?? {});
  const cards = entries.map((entry) => cardIn(entry, account));
  const isRecognized = entries.every((entry, index) => cards[index] || cardNamesIn(entry));
  const isWhole = number === 0 && limit !== 'list.page-size-maximum' && entries.length < most;
  if (isWhole && isRecognized) checkComplete(check, since, new Set(cards));
  for (const card of new Set(cards)) if (card && since !== undefined) checkSince(check, since, card);
  checkListOrder(check, cards);
}

/** Returns the most cards that a page may have, and the rule that states this limit. */
function pageLimit(pageSize: string | undefined): { most: number; limit: RuleName } {
  if (pageSize === undefined) return { most: defaultSize, limit: 'list.page-size-default' };
  const size = /^\d+$/.test(pageSize) ? Number(pageSize) : 0;
  const isAllowed = size >= 1 && size <= maximumSize;
  return isAllowed ? { most: size, limit: 'list.page-size-limits' } : { most: maximumSize, limit: 'list.page-size-maximum' };
}

/** Returns the only known card whose ID or code is in a list entry. Searches all values, because the specification does not name the properties of an entry. */
function cardIn(entry: unknown, account: KnownAccount): KnownCard | undefined {
  const names = cardNamesIn(entry);
  const values = names ? [names.id] : leaves(entry).map(({ value }) => String(value));
  const byId = new Set(values.flatMap((value) => account.cardById(value) ?? []));
  const [card, ...others] = byId.size > 0 ? byId : new Set(values.flatMap((value) => account.holdersOf(value)));
  return others.length === 0 ? card : undefined;
}

function checkDistinct(entries: readonly unknown[], mayHaveDeleted: boolean, findings: Findings): void {
  const named = entries.map((entry) => ({ ...cardNamesIn(entry), status: fieldsOf(entry)?.status }));
  const ids = named.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length)
    findings.check(false, 'list.wraps-cards-and-total', 'A page of the list has the same card twice.');
  // A deleted card may have the code of another card, so repeated codes prove nothing in a list with deleted cards.
  if (mayHaveDeleted) return;
  const inUse = named.filter(({ id, status }) => id !== undefined && (status === 'Active' || status === 'Redeemed'));
  if (new Set(inUse.map(({ code }) => code)).size < new Set(inUse.map(({ id }) => id)).size)
    findings.check(false, 'gift-card.create.refuses-taken-code', 'Two cards in use have the same code.');
}

/** Checks that the list has all cards that the client created. The caller has checked that the first page is not full, so this page is the whole list. */
function checkComplete({ call, account, findings }: OracleCheck, since: number | undefined, listed: ReadonlySet<unknown>): void {
  const { span } = call;
  const missing = new Set<RuleName>();
  for (const card of account.cards) {
    const { creation } = card;
    if (!creation || !isBefore(creation.span, span)) continue;
    if (since !== undefined && (issuedAt(creation) ?? 0) <= since + SECOND) continue;
    const rule = since === undefined ? listedRule(card, span) : 'list.since-is-strictly-after';
    // One finding for each rule is enough.
    if (missing.has(rule)) continue;
    if (!listed.has(card)) missing.add(rule);
    findings.checkPossible(listed.has(card), rule, `${card.name} is not on the only page of the list.`, creation.span);
  }
}

function listedRule(card: KnownCard, span: Span): RuleName {
  if (card.voidBefore(span)) return 'list.includes-voided';
  const lookUp = card.lookUpBefore(span);
  const isUnchanged = card.adjustments.every((each) => lookUp && isBefore(each.span, lookUp.span));
  const isEmpty = lookUp !== undefined && (lookUp.status === 'Redeemed' || isSameAmount(lookUp.balance, 0));
  return isEmpty && isUnchanged && !card.mayBeVoided(span) ? 'list.includes-redeemed' : 'list.wraps-cards-and-total';
}

/** Returns the time of issue in milliseconds since 1970. Returns undefined if the response does not show the time. */
const issuedAt = (creation: ObservedCall): number | undefined => exactInstantOf(issueTime(creation.response));

function checkSince({ call: { span }, findings }: OracleCheck, since: number, { name, creation }: KnownCard): void {
  const issued = creation && issuedAt(creation);
  if (!creation || issued === undefined || !isBefore(creation.span, span)) return;
  // The response may show the time without milliseconds, so a difference of one second is allowed.
  const isLater = issued >= since - SECOND;
  const what = `The list shows ${name}, but ${name} was issued before the time in the parameter "since".`;
  findings.check(isLater, 'list.since-goes-by-issue', what, creation.span);
}
