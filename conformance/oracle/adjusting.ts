import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account, UniqueUse } from './account.ts';
import { byOf, type Call, cardNameIn, textIn } from './call.ts';
import { amountIn, expectedBalance, isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { checkNotFound } from './lookups.ts';
import { exactInstantOf } from './record.ts';
import { checkRejection, isStateRefusal } from './refusals.ts';
import { isBefore, isWithinDay, MINUTE, pause } from './span.ts';

export function checkAdjustment(call: Call, account: Account, findings: Findings): void {
  const { span, outcome, request } = call;
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  if (checkUniqueValue(call, account, card, findings) || !card) return;
  const amount = amountIn(request?.adjustmentAmount, account.decimals);
  if (!amount || card.mayBeVoided(span)) return;
  if (outcome === 'accepted') checkAccepted(call, card, amount, findings);
  else if (isStateRefusal(call.status)) checkRefused(call, account, card, amount, findings);
}

/** Returns whether the unique value was used before, so that nothing else can be checked. */
function checkUniqueValue(call: Call, account: Account, card: KnownCard | undefined, findings: Findings): boolean {
  const { span, outcome, request } = call;
  const uses = account.uniqueAdjustmentIds.get(textIn(request?.uniqueAdjustmentId) ?? '') ?? [];
  const before = uses.find((use) => use.span.n < span.n && isWithinDay(use.span, span));
  if (!before) return false;
  const isParallel = !isBefore(before.span, span);
  const clause = isParallel ? 'idempotency.adjustment.parallel-counts-once' : repeatClause(call, before);
  if (outcome === 'accepted')
    findings.addViolation(
      clause,
      `The uniqueAdjustmentId of exchange ${before.span.n} was accepted again${card ? `, for ${card.name}` : ''}.`,
      ...[before.span.n, span.n],
    );
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

function checkAccepted(call: Call, card: KnownCard, amount: number, findings: Findings): void {
  const expected = expectedBalance(card, call.span);
  if (!expected) return;
  const { balance, from } = expected;
  const after = balance + amount;
  const isRedemption = amount < 0;
  if (byOf(call) === 'code') {
    if (isRedemption && after < 0) findings.addHeld('adjustment.by-code.may-go-negative');
  } else if (isRedemption && isSameAmount(after, 0)) findings.addHeld('adjustment.by-id.takes-whole-balance');
  else if (!isRedemption && balance < 0) findings.addHeld('adjustment.by-id.tops-up-below-zero');
  else if (isRedemption && after < 0)
    findings.addPossible(
      overdrawClause(balance),
      `A redemption of ${(-amount).toFixed(2)} by ID was accepted for ${card.name}, which had ${balance.toFixed(2)}.`,
      ...[from.span.n, call.span.n],
    );
}

const overdrawClause = (balance: number): ClauseName =>
  balance < 0 ? 'adjustment.by-id.refuses-redemption-below-zero' : 'adjustment.by-id.refuses-overdraw';

/** The service accepts every adjustment but an overdraw by ID, unless something in it is open. */
function checkRefused(call: Call, account: Account, card: KnownCard, amount: number, findings: Findings): void {
  const { span, status, operation } = call;
  const accepted = account.accepted.get(operation);
  const wasAccepted = accepted !== undefined && isBefore(accepted, span);
  if (status === 404) {
    const clause: ClauseName = amount < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up';
    // The name of the field with the ID is open.
    if (byOf(call) === 'code' || wasAccepted) checkNotFound(call, account, clause, findings);
    return;
  }
  const expected = expectedBalance(card, span);
  if (!expected) return;
  const clause = acceptedClause(byOf(call), expected.balance, amount);
  if (!clause) findings.addHeld(overdrawClause(expected.balance));
  else if (findings.isOnlyClient && wasAccepted && isInUse(card, call) && isOrdinary(call, account, amount, expected.balance))
    findings.addViolation(
      clause,
      `An adjustment of ${card.name} by ${amount.toFixed(2)} by ${byOf(call)} was refused with ${status}; it had ${expected.balance.toFixed(2)}.`,
      ...[expected.from.span.n, span.n],
    );
}

/** The clause by which the service accepts the adjustment; undefined if it must refuse it. */
function acceptedClause(by: 'code' | 'ID', balance: number, amount: number): ClauseName | undefined {
  const after = balance + amount;
  if (amount > 0) return by === 'ID' && balance < 0 ? 'adjustment.by-id.tops-up-below-zero' : 'adjustment.positive-tops-up';
  if (by === 'ID' && isSameAmount(after, 0)) return 'adjustment.by-id.takes-whole-balance';
  if (after >= 0) return 'adjustment.negative-redeems';
  return by === 'code' ? 'adjustment.by-code.may-go-negative' : undefined;
}

/** Whether the service has no reason to refuse any value of the request. */
function isOrdinary({ span, request = {} }: Call, account: Account, amount: number, balance: number): boolean {
  const unique = textIn(request.uniqueAdjustmentId);
  const actionedAt = exactInstantOf(request.actionedAtUtc);
  return (
    unique !== undefined &&
    // Whether a refused request has used its unique value up is open.
    account.timesSent.get(unique) === 1 &&
    actionedAt !== undefined &&
    actionedAt < span.at - MINUTE &&
    Math.abs(amount) + Math.abs(balance) < 10_000
  );
}
