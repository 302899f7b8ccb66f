import type { ClauseName } from '../../openapi/generated/clauses.ts';
import {
  type Account,
  amountIn,
  type Expectation,
  expectedBalance,
  isSameAmount,
  type KnownCard,
  type UniqueUse,
} from './account.ts';
import { type By, byOf, type Call, cardNameIn, isBefore, isWithinDay, MINUTE, pause, textIn } from './call.ts';
import { checkNotFound } from './card-state.ts';
import { checkRejection, isStateRefusal } from './creating.ts';
import type { Findings } from './findings.ts';
import { exactInstantOf } from './record.ts';

export function checkAdjustment(call: Call, account: Account, findings: Findings): void {
  const { span, operation, outcome, status, request } = call;
  const by = byOf(call);
  const card = account.onlyCard(by, cardNameIn(call));
  if (checkUniqueValue(call, account, card, findings) || !card) return;
  const amount = amountIn(request?.adjustmentAmount, account.decimals);
  if (!amount || card.mayBeVoided(span)) return;
  if (status === 404) {
    const wasAccepted = account.accepted.get(operation);
    // The name of the field with the ID is open.
    if (by === 'code' || (wasAccepted && isBefore(wasAccepted, span)))
      checkNotFound(call, account, amount < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up', findings);
    return;
  }
  const expected = expectedBalance(card, span);
  if (!expected) return;
  if (outcome === 'accepted') checkAccepted(call, card, amount, expected, findings);
  else if (isStateRefusal(status)) checkRefused(call, account, card, amount, expected, findings);
}

/** Checks a repeated uniqueAdjustmentId. Returns true for a repeat; the caller then skips the other checks. */
function checkUniqueValue(call: Call, account: Account, card: KnownCard | undefined, findings: Findings): boolean {
  const { span, outcome, request } = call;
  const uses = account.uniqueAdjustmentIds.get(textIn(request?.uniqueAdjustmentId) ?? '') ?? [];
  const before = uses.find((use) => use.span.n < span.n && isWithinDay(use.span, span));
  if (!before) return false;
  const isParallel = !isBefore(before.span, span);
  const clause = isParallel ? 'idempotency.adjustment.parallel-counts-once' : repeatClause(call, before);
  const what = `The uniqueAdjustmentId of exchange ${before.span.n} was accepted again${card ? `, for ${card.name}` : ''}.`;
  if (outcome === 'accepted') findings.check(false, clause, what, before.span);
  else if (!isParallel && isOnlyRepeat(call, card)) checkRejection(call, account, before, clause, findings);
  else if (!isParallel && call.status === 400) findings.addHeld(clause);
  return true;
}

function repeatClause(call: Call, before: UniqueUse): ClauseName {
  if (call.operation !== before.operation) return 'idempotency.adjustment.repeat-by-other-endpoint-refused';
  if (JSON.stringify(call.request) === before.request) return 'idempotency.adjustment.refuses-repeat';
  return cardNameIn(call) === cardNameIn({ ...call, request: JSON.parse(before.request) })
    ? 'idempotency.adjustment.repeat-with-other-content-refused'
    : 'idempotency.adjustment.repeat-on-other-card-refused';
}

/** The repeated unique value is the only reason to refuse the request. */
const isOnlyRepeat = (call: Call, card: KnownCard | undefined): boolean =>
  card !== undefined &&
  isInUse(card, call) &&
  !card.mayBeVoided(call.span) &&
  (byOf(call) === 'code' || Number(call.request?.adjustmentAmount) > 0);

/** An answer less than a minute ago showed the card in use, and no expiry came since. */
function isInUse(card: KnownCard, { span }: Call): boolean {
  const look = card.lookBefore(span);
  const wasInUse = look?.status === 'Active' || look?.status === 'Redeemed';
  return look !== undefined && wasInUse && pause(look.span, span) < MINUTE && card.isUnexpired(span);
}

function checkAccepted(
  call: Call,
  { name }: KnownCard,
  amount: number,
  { balance, from }: Expectation,
  findings: Findings,
): void {
  const clause = acceptedClause(byOf(call), balance, amount);
  const what = `A redemption of ${(-amount).toFixed(2)} by ID was accepted for ${name}, which had ${balance.toFixed(2)}.`;
  if (!clause) findings.checkPossible(false, overdrawClause(balance), what, from.span);
  // Only the balance shows the others.
  else if (clause.startsWith('adjustment.by-')) findings.addHeld(clause);
}

/** The service accepts every adjustment but an overdraw by ID, unless something in it is open. */
function checkRefused(
  call: Call,
  account: Account,
  card: KnownCard,
  amount: number,
  { balance, from }: Expectation,
  findings: Findings,
): void {
  const by = byOf(call);
  const clause = acceptedClause(by, balance, amount);
  const wasAccepted = account.accepted.get(call.operation);
  if (!clause) findings.addHeld(overdrawClause(balance));
  else if (findings.isOnlyClient && wasAccepted && isBefore(wasAccepted, call.span) && isOrdinary(call, account, card, balance)) {
    const what = `An adjustment of ${card.name} by ${amount.toFixed(2)} by ${by} was refused with ${call.status}`;
    findings.check(false, clause, `${what}; it had ${balance.toFixed(2)}.`, from.span);
  }
}

/** The clause by which the service accepts the adjustment; undefined if it must refuse it. */
function acceptedClause(by: By, balance: number, amount: number): ClauseName | undefined {
  const after = balance + amount;
  if (amount > 0) return by === 'ID' && balance < 0 ? 'adjustment.by-id.tops-up-below-zero' : 'adjustment.positive-tops-up';
  if (by === 'ID' && isSameAmount(after, 0)) return 'adjustment.by-id.takes-whole-balance';
  if (after >= 0) return 'adjustment.negative-redeems';
  return by === 'code' ? 'adjustment.by-code.may-go-negative' : undefined;
}

const overdrawClause = (balance: number): ClauseName =>
  balance < 0 ? 'adjustment.by-id.refuses-redemption-below-zero' : 'adjustment.by-id.refuses-overdraw';

/** Whether the service has no reason to refuse the request. */
function isOrdinary(call: Call, account: Account, card: KnownCard, balance: number): boolean {
  const { span, request = {} } = call;
  const actionedAt = exactInstantOf(request.actionedAtUtc);
  return (
    isInUse(card, call) &&
    card.isNamedExactly(cardNameIn(call)) &&
    // Whether a refused request has used its unique value up is open.
    account.timesSent.get(textIn(request.uniqueAdjustmentId) ?? '') === 1 &&
    actionedAt !== undefined &&
    actionedAt < span.at - MINUTE &&
    Math.abs(Number(request.adjustmentAmount)) + Math.abs(balance) < 10_000
  );
}
