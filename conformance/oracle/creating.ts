import type { RuleName } from '../../openapi/generated/rules.ts';
import { customFieldNames } from '../core/contract.ts';
import { amountIn, isSameAmount, type KnownCard } from './account.ts';
import { cardNamesIn, fieldsOf, isBefore, isWithinDay, type ObservedCall, textIn } from './call.ts';
import type { Findings, OracleCheck } from './findings.ts';

export function checkCreate(check: OracleCheck): void {
  checkUniqueId(check);
  checkCode(check);
  if (check.call.status === 200 && !isOlderCard(check)) checkNewCard(check);
}

/** Reports whether the response shows a card that an earlier exchange showed, for example the card of an earlier create with the same uniqueId. */
function isOlderCard({ call, account }: OracleCheck): boolean {
  const first = account.cardById(cardNamesIn(call.response)?.id ?? '')?.firstExchange;
  return first !== undefined && first.n < call.span.n;
}

function checkNewCard({ call: { request, response }, account, findings }: OracleCheck): void {
  const card = fieldsOf(response);
  if (!request || !card) return;
  const code = textIn(request.code);
  if (code !== undefined && code.trim() === code && typeof card.code === 'string') {
    const what = 'The code of a new card differs from the code in the request.';
    findings.check(card.code === code, 'gift-card.create.keeps-given-code', what);
  }
  if (!request.code && card.code !== undefined) {
    const what = 'The service did not generate a code for a card.';
    findings.check(textIn(card.code) !== undefined, 'gift-card.create.generates-code', what);
  }
  const balance = amountIn(request.balance, account.decimals);
  if (balance !== undefined && typeof card.balance === 'number') {
    const what = `A card that was created with ${balance} has a balance of ${card.balance}.`;
    findings.check(isSameAmount(card.balance, balance), 'gift-card.create.starts-with-given-balance', what);
  }
  if (card.status !== undefined)
    findings.check(
      card.status === 'Active',
      'gift-card.create.starts-active',
      `A card was created with the status ${String(card.status)}, not Active.`,
    );
  for (const name of customFieldNames) {
    const text = textIn(request[name]);
    if (text === undefined) continue;
    const what = `${name} of a new card differs from the value in the request.`;
    findings.check(card[name] === text, 'gift-card.create.stores-custom-fields', what);
  }
}

function checkUniqueId(check: OracleCheck): void {
  const { call, account, findings } = check;
  const { span, outcome } = call;
  const uses = account.uniqueIds.get(textIn(call.request?.uniqueId) ?? '') ?? [];
  // A service may forget a uniqueId after a day, or when the card is voided. The service may then accept the uniqueId again.
  const cardOf = ({ response }: ObservedCall) => account.cardById(cardNamesIn(response)?.id ?? '');
  const isRemembered = (use: ObservedCall) => isWithinDay(use.span, span) && !cardOf(use)?.mayBeGone(span);
  const before = uses.find((use) => use.span.n < span.n && isRemembered(use));
  if (!before) return;
  const isParallel = !isBefore(before.span, span);
  const rule = isParallel ? 'idempotency.create.parallel-makes-one' : 'idempotency.create.refuses-repeat';
  const what = `Exchange ${before.span.n} created ${cardOf(before)?.name}. The service accepts the same uniqueId for another card.`;
  if (outcome === 'accepted') findings.checkPossible(false, rule, what, before.span);
  else if (!isParallel) checkRejection(check, before, rule);
}

function checkCode({ call, account, findings }: OracleCheck): void {
  const { span, request, response, outcome } = call;
  const code = textIn(request?.code) ?? (outcome === 'accepted' ? textIn(fieldsOf(response)?.code) : undefined);
  const own = outcome === 'accepted' ? account.cardById(cardNamesIn(response)?.id ?? '') : undefined;
  if (code === undefined || (outcome === 'accepted' && !own)) return;
  const isOther = (card: KnownCard) =>
    card !== own && card.firstExchange !== undefined && card.firstExchange.n < span.n && !card.mayBeGone(span);
  const holder = account.holdersOf(code).find(isOther);
  // If the new card is voided, the service may have created the other card after the void, when the code was free again.
  if (!holder?.creation || own?.voids.some((each) => !isBefore(span, each.span))) return;
  const rule = textIn(request?.code) === undefined ? 'gift-card.create.generates-code' : 'gift-card.create.refuses-taken-code';
  const { span: created } = holder.creation;
  const what = `Exchange ${created.n} created ${holder.name}. The service gives the same code to another card.`;
  if (outcome === 'accepted') findings.checkPossible(false, rule, what, created);
  else if (call.status === 400 && isBefore(created, span)) findings.addHeld(rule);
}

/** Statuses of refusals that are about the key, the plan, the form of the request or the rate. */
const otherRefusals = new Set([401, 402, 403, 405, 406, 408, 411, 413, 414, 415, 429, 431]);

/** Reports whether a refusal with this status is about the card or the values of the request. */
export const isStateRefusal = (status: number): boolean => status >= 400 && status < 500 && !otherRefusals.has(status);

/** Checks that the service rejects a repeat with 400 and a message. A repeat with other content may get another status, because its content may be invalid. */
export function checkRejection({ call, account, findings }: OracleCheck, before: ObservedCall, rule: RuleName): void {
  const { operation, status, request } = call;
  if (status === 400) findings.addHeld(rule);
  const unique = textIn(request?.uniqueId ?? request?.uniqueAdjustmentId) ?? '';
  // A third request may be refused because the second is still under way. So only the second request is checked further.
  const isSecond = (account.timesSent.get(unique) ?? 0) <= 2;
  if (!isSecond || before.operation !== operation || !isSameCreate(call, before)) return;
  const what = `The service returns ${status} instead of 400 to a repeat of exchange ${before.span.n}.`;
  if (status === 400) checkMessage(call, findings);
  else if (isStateRefusal(status)) findings.checkPossible(false, rule, what, before.span);
}

export const isSameCreate = (one: ObservedCall, other: ObservedCall): boolean =>
  JSON.stringify(one.request) === JSON.stringify(other.request);

/** Checks that a rejection has a plain-text message. Call this function only if the specification names the reason for the rejection. */
function checkMessage({ response, responseBody, contentType }: ObservedCall, findings: Findings): void {
  if (responseBody === 'unread') return;
  const isStructured = (typeof response === 'object' && response !== null) || /json|html|xml/i.test(contentType);
  const what = `A rejection has ${responseBody === 'empty' ? 'an empty' : 'a structured'} body instead of a message in plain text.`;
  findings.checkPossible(!isStructured && responseBody !== 'empty', 'errors.rejection-is-400-plain-text', what);
}
