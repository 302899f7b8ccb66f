import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { customFieldNames } from '../core/contract.ts';
import { type Account, amountIn, isSameAmount, type KnownCard, type UniqueUse } from './account.ts';
import { type Call, cardNamesIn, fieldsOf, isBefore, isWithinDay, textIn } from './call.ts';
import type { Findings } from './findings.ts';

export function checkCreate(call: Call, account: Account, findings: Findings): void {
  checkUniqueId(call, account, findings);
  checkCode(call, account, findings);
  if (call.status === 200) checkNewCard(call, account, findings);
}

/** The answer to a create has the values of the request. */
function checkNewCard({ request, answer }: Call, account: Account, findings: Findings): void {
  const card = fieldsOf(answer);
  if (!request || !card) return;
  const code = textIn(request.code);
  if (code !== undefined && code.trim() === code && typeof card.code === 'string')
    findings.check(card.code === code, 'gift-card.create.keeps-given-code', 'A new card has another code than the one given.');
  if (!request.code && card.code !== undefined) {
    const what = 'A card created without a code has no code.';
    findings.check(textIn(card.code) !== undefined, 'gift-card.create.generates-code', what);
  }
  const balance = amountIn(request.balance, account.decimals);
  if (balance !== undefined && typeof card.balance === 'number') {
    const what = `A card created with ${balance} has a balance of ${card.balance}.`;
    findings.check(isSameAmount(card.balance, balance), 'gift-card.create.starts-with-given-balance', what);
  }
  if (card.status !== undefined)
    findings.check(card.status === 'Active', 'gift-card.create.starts-active', 'A new card is not Active.');
  for (const name of customFieldNames) {
    const text = textIn(request[name]);
    if (text === undefined) continue;
    findings.check(card[name] === text, 'gift-card.create.stores-custom-fields', `${name} differs from the value given.`);
  }
}

function checkUniqueId(call: Call, account: Account, findings: Findings): void {
  const { span, outcome } = call;
  const uses = account.uniqueIds.get(textIn(call.request?.uniqueId) ?? '') ?? [];
  // Whether the value is free again when its card is voided, and after how long, is open.
  const before = uses.find((use) => use.span.n < span.n && isWithinDay(use.span, span) && !use.card?.mayBeGone(span));
  if (!before) return;
  const isParallel = !isBefore(before.span, span);
  const clause = isParallel ? 'idempotency.create.parallel-makes-one' : 'idempotency.create.refuses-repeat';
  const what = `The uniqueId of ${before.card?.name}, created in exchange ${before.span.n}, was accepted for another card.`;
  if (outcome === 'accepted') findings.checkPossible(false, clause, what, before.span);
  else if (!isParallel) checkRejection(call, account, before, clause, findings);
}

/** The service refuses a code that a card in use has. */
function checkCode(call: Call, account: Account, findings: Findings): void {
  const { span, request, answer, outcome } = call;
  const code = textIn(request?.code) ?? (outcome === 'accepted' ? textIn(fieldsOf(answer)?.code) : undefined);
  const own = outcome === 'accepted' ? account.cardById(cardNamesIn(answer)?.id ?? '') : undefined;
  if (code === undefined || (outcome === 'accepted' && !own)) return;
  const isOther = (card: KnownCard) =>
    card !== own && card.knownSince !== undefined && card.knownSince.n < span.n && !card.mayBeGone(span);
  const holder = account.holdersOf(code).find(isOther);
  // Of two creates at once, either may be the first, and its card may have been voided before the second.
  if (!holder?.creation || own?.voids.some((each) => !isBefore(span, each.span))) return;
  const clause = textIn(request?.code) === undefined ? 'gift-card.create.generates-code' : 'gift-card.create.refuses-taken-code';
  const { span: created } = holder.creation;
  const what = `The new card has the code of ${holder.name}, created in exchange ${created.n}.`;
  if (outcome === 'accepted') findings.checkPossible(false, clause, what, created);
  else if (call.status === 400 && isBefore(created, span)) findings.addHeld(clause);
}

/** Statuses of refusals because of the key, the plan, the form of the request or the rate. */
const otherRefusals = new Set([401, 402, 403, 405, 406, 408, 411, 413, 414, 415, 429, 431]);

/** Whether a refusal with this status is about the card or the values of the request. */
export const isStateRefusal = (status: number): boolean => status >= 400 && status < 500 && !otherRefusals.has(status);

/** The service rejects a repeat of the same request with 400 and a message. It may reject one with other content for another reason. */
export function checkRejection(call: Call, account: Account, before: UniqueUse, clause: ClauseName, findings: Findings): void {
  const { operation, status, request } = call;
  if (status === 400) findings.addHeld(clause);
  const unique = textIn(request?.uniqueId ?? request?.uniqueAdjustmentId) ?? '';
  // The service may refuse a third request because the second is still under way.
  const isSecond = (account.timesSent.get(unique) ?? 0) <= 2;
  if (!isSecond || before.operation !== operation || before.request !== JSON.stringify(request)) return;
  const what = `A repeat of exchange ${before.span.n} was refused with ${status} instead of 400.`;
  if (status === 400) checkMessage(call, findings);
  else if (isStateRefusal(status)) findings.checkPossible(false, clause, what, before.span);
}

/** A rejection for a reason that the specification names has a message in plain text. */
function checkMessage({ answer, answerBody, contentType }: Call, findings: Findings): void {
  if (answerBody === 'unread') return;
  const isStructured = (typeof answer === 'object' && answer !== null) || /json|html|xml/i.test(contentType);
  const what = `A rejection has ${answerBody === 'empty' ? 'no message' : 'a structured body'} instead of a message in plain text.`;
  findings.checkPossible(!isStructured && answerBody !== 'empty', 'errors.rejection-is-400-plain-text', what);
}
