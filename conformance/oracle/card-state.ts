import type { RuleName } from '../../openapi/generated/rules.ts';
import { customFieldNames } from '../core/contract.ts';
import { formatCount } from '../core/text.ts';
import { findObject, leaves, mentions } from '../http/json-search.ts';
import { expectedBalance, isSameAmount, type KnownAdjustment, type KnownCard } from './account.ts';
import {
  byOf,
  type CardNames,
  cardNamesIn,
  type Fields,
  fieldsOf,
  isBefore,
  type ObservedCall,
  type Span,
  textIn,
} from './call.ts';
import { isStateRefusal } from './creating.ts';
import type { Findings, OracleCheck } from './findings.ts';
import { checkHistoryOrder } from './order.ts';

export function checkLookup(check: OracleCheck): void {
  const { call, account, findings } = check;
  if (call.status === 404) checkNotFound(check);
  const fields = fieldsOf(call.response);
  const names = cardNamesIn(fields);
  if (call.status !== 200 || !fields || !names || !checkNames(check, names)) return;
  const card = account.findOrAdd(names, call.span);
  const { creation } = card;
  if (creation && isBefore(creation.span, call.span))
    for (const name of customFieldNames) {
      const text = textIn(creation.request?.[name]);
      if (text === undefined) continue;
      const what = `${name} of ${card.name} differs from the value in the create request.`;
      findings.checkPossible(fields[name] === text, 'gift-card.custom-fields.never-change', what, creation.span);
    }
  if (card.voidBefore(call.span)) findings.addHeld('gift-card.void.still-found');
  checkCardState(check, fields);
}

/** Checks that the response shows the card that the request names. Returns false for another card. */
function checkNames({ call, account, name, rule, findings }: OracleCheck, names: CardNames): boolean {
  const by = byOf(call);
  if (name === undefined) return true;
  const isSame = by === 'code' ? name === names.code : name.toLowerCase() === names.id.toLowerCase();
  // A service may accept another spelling of an ID. If no known card has the requested ID, nothing is reported: the ID may be such a spelling.
  if (!isSame && by === 'ID' && !account.cardById(name)) return true;
  const isLike = by === 'code' && names.code.toLowerCase().startsWith(name.trim().toLowerCase());
  const due = isLike && !isSame ? 'gift-card.get-by-code.matches-exactly' : rule;
  findings.check(isSame, due, `The ${by} of the card in the response differs from the ${by} in the request.`);
  return isSame;
}

/** Checks a 404 about a card that an earlier exchange showed. `rule` states that the service finds the card. */
export function checkNotFound(check: OracleCheck, rule = check.rule): void {
  const { call, name, card, findings } = check;
  const shown = card?.shownBefore(call.span);
  if (!shown || !card?.isNamedExactly(name)) return;
  const voided = card.voidBefore(call.span);
  const due = voided && call.operation.startsWith('get') ? 'gift-card.void.still-found' : rule;
  const what = `Exchange ${shown.n} shows ${card.name}, but the service does not find ${card.name} by ${byOf(call)}.`;
  findings.checkPossible(false, due, what, voided?.span ?? shown);
}

/** Checks that a history has the card with its balance, and the order of its entries. A service may shorten a history or add entries. */
export function checkHistory(check: OracleCheck): void {
  const { call, card, rule, findings } = check;
  const { span, status, outcome, response } = call;
  if (status === 404) checkNotFound(check);
  if (outcome !== 'accepted' || response === undefined || !card?.shownBefore(span)) return;
  const isNamed =
    mentions(response, card.code) || leaves(response).some(({ value }) => String(value).toLowerCase() === card.id.toLowerCase());
  findings.check(isNamed, rule, `The history of ${card.name} has neither the code nor the ID of the card.`);
  const shown = findObject(response, (each) => 'balance' in each && cardNamesIn(each) !== undefined);
  const fields = fieldsOf(shown?.object);
  if (fields && cardNamesIn(fields)?.id === card.id) checkCardState(check, fields);
  checkHistoryOrder(check, card);
}

export function checkCardState(check: OracleCheck, fields: Fields): void {
  const { call, account, findings } = check;
  const names = cardNamesIn(fields);
  const card = names && account.cardById(names.id);
  if (!card || card.code !== names.code) return;
  if (card.voidBefore(call.span)) checkVoided(call, card, fields, findings);
  else if (typeof fields.balance === 'number') checkBalance(check, card, fields.balance, fields.status);
}

function checkBalance({ call: { span }, rule, findings }: OracleCheck, card: KnownCard, balance: number, status: unknown): void {
  const expected = expectedBalance(card, span);
  if (!expected) return;
  const { from, changes } = expected;
  const refusals = card.refusedAdjustments.filter((each) => !isBefore(each.span, from.span) && isBefore(each.span, span));
  const isRefusedAmount = refusals.some(({ amount = 0 }) => isSameAmount(expected.balance + amount, balance));
  const isSame = isSameAmount(expected.balance, balance);
  const isAfterRefusal = isRefusedAmount || (isSame && refusals.length > 0 && changes.length === 0);
  // The specification does not state the balance of an expired card. A response without a status may show an expired card.
  const isOpen = status === 'Expired' || status === 'Voided' || (status === undefined && !card.isUnexpired(span));
  if (!isSame && isOpen) return;
  const dueRule = isAfterRefusal ? 'errors.refusal-changes-nothing' : (adjustmentRule(changes) ?? rule);
  const before = `${card.name} had ${from.balance.toFixed(2)} in exchange ${from.span.n}`;
  const count = formatCount(changes.length, 'adjustment');
  const [due, now] = [expected.balance.toFixed(2), balance.toFixed(2)];
  const after = `After ${count}, ${card.name} must have ${due} but has ${now}.`;
  const what = changes.length === 0 ? `${before}; ${card.name} has ${now} now.` : `${before}. ${after}`;
  findings.checkPossible(isSame, dueRule, what, from.span, ...changes.slice(-4).map((each) => each.span));
}

/** Returns the rule about the effect of the adjustments. Returns undefined without an adjustment. */
function adjustmentRule(changes: readonly KnownAdjustment[]): RuleName | undefined {
  if (changes.some((one, index) => changes.slice(index + 1).some((other) => !isBefore(one.span, other.span))))
    return 'adjustment.parallel-all-count';
  const last = changes.at(-1)?.amount;
  return last === undefined ? undefined : last < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up';
}

/** Checks that the service does not refuse to void a card in use. The effect of the void is checked at the next lookup. */
export function checkVoid({ call, name, card, rule, findings }: OracleCheck): void {
  const { span, status, outcome } = call;
  const shown = card?.shownBefore(span);
  if (outcome !== 'refused' || !isStateRefusal(status) || !card || !shown) return;
  // The specification does not state the response to a second void.
  if (!card.wasInUseBefore(span) || card.mayBeVoided(span) || !card.isNamedExactly(name)) return;
  const what = `Exchange ${shown.n} shows ${card.name}, but the service returns ${status} to a void of ${card.name} by ${byOf(call)}.`;
  findings.checkPossible(false, rule, what, shown);
}

function checkVoided({ span }: ObservedCall, card: KnownCard, { balance, status }: Fields, findings: Findings): void {
  const voided = card.voidBefore(span);
  // The specification does not state whether an expiry changes a voided card.
  if (!voided || status === undefined || status === 'Expired') return;
  const isSince = (lookUp: Span) => isBefore(voided.span, lookUp) && isBefore(lookUp, span);
  const wasVoided = card.lookUps.some((lookUp) => lookUp.status === 'Voided' && isSince(lookUp.span));
  const last = card.voids.findLast((each) => isBefore(each.span, span)) ?? voided;
  const voidRule = byOf(last) === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids';
  const what = `${card.name} was voided in exchange ${last.span.n}`;
  const rule = wasVoided ? 'gift-card.void.is-final' : voidRule;
  findings.checkPossible(status === 'Voided', rule, `${what} and is not Voided now.`, last.span);
  if (typeof balance !== 'number') return;
  const isEmpty = isSameAmount(balance, 0);
  if (isEmpty || (card.wasInUseBefore(voided.span) && !mayHaveChanged(card, voided.span, span))) {
    const left = `${what} and has a balance of ${balance.toFixed(2)} now.`;
    findings.checkPossible(isEmpty, 'gift-card.void.zeroes-balance', left, last.span);
  }
}

/** Reports whether an uncertain request or an adjustment may have changed the voided card. The specification does not state the effect of such an adjustment. */
const mayHaveChanged = (card: KnownCard, voided: Span, now: Span): boolean =>
  card.uncertainChanges.some((each) => !isBefore(now, each)) ||
  card.adjustments.some((each) => !isBefore(each.span, voided) && !isBefore(now, each.span));
