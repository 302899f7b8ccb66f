import type { RuleName } from '../../openapi/generated/rules.ts';
import { amountIn, expectedBalance, isSameAmount, type KnownCard } from './account.ts';
import { type By, byOf, cardNameIn, isBefore, isWithinDay, MINUTE, type ObservedCall, textIn, timeBetween } from './call.ts';
import { checkNotFound } from './card-state.ts';
import { checkRejection, isSameCreate, isStateRefusal } from './creating.ts';
import type { OracleCheck } from './findings.ts';
import { exactInstantOf } from './record.ts';

export function checkAdjustment(check: OracleCheck): void {
  const { call, account, card } = check;
  if (checkRepeat(check) || !card) return;
  const amount = amountIn(call.request?.adjustmentAmount, account.decimals);
  if (!amount || card.mayBeVoided(call.span)) return;
  if (call.status !== 404) checkDecision(check, card, amount);
  // The specification does not name the field with the ID. So a 404 before the first success may mean that the client uses a wrong name.
  else if (byOf(call) === 'code' || account.hasAcceptedBefore(call))
    checkNotFound(check, amount < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up');
}

/** Checks a repeated uniqueAdjustmentId. Returns true for a repeat. A repeat needs no other check. */
function checkRepeat(check: OracleCheck): boolean {
  const { call, account, card, findings } = check;
  const { span, outcome, request } = call;
  const uses = account.uniqueAdjustmentIds.get(textIn(request?.uniqueAdjustmentId) ?? '') ?? [];
  const before = uses.find((use) => use.span.n < span.n && isWithinDay(use.span, span));
  if (!before) return false;
  const isParallel = !isBefore(before.span, span);
  const rule = isParallel ? 'idempotency.adjustment.parallel-counts-once' : repeatRule(call, before);
  const what = `The service accepts the uniqueAdjustmentId of exchange ${before.span.n} again${card ? `, for ${card.name}` : ''}.`;
  if (outcome === 'accepted') findings.check(false, rule, what, before.span);
  else if (!isParallel && isOnlyRepeat(check)) checkRejection(check, before, rule);
  else if (!isParallel && call.status === 400) findings.addHeld(rule);
  return true;
}

function repeatRule(call: ObservedCall, before: ObservedCall): RuleName {
  if (call.operation !== before.operation) return 'idempotency.adjustment.repeat-by-other-endpoint-refused';
  if (isSameCreate(call, before)) return 'idempotency.adjustment.refuses-repeat';
  return cardNameIn(call) === cardNameIn(before)
    ? 'idempotency.adjustment.repeat-with-other-content-refused'
    : 'idempotency.adjustment.repeat-on-other-card-refused';
}

/** Reports whether the repeated unique value is the only reason to refuse the request. */
const isOnlyRepeat = ({ call, card }: OracleCheck): boolean =>
  card !== undefined &&
  isInUse(card, call) &&
  !card.mayBeVoided(call.span) &&
  (byOf(call) === 'code' || Number(call.request?.adjustmentAmount) > 0);

/** Reports whether the card is in use: a response showed this less than a minute ago, and the card cannot have expired. */
function isInUse(card: KnownCard, { span }: ObservedCall): boolean {
  const lookUp = card.lookUpBefore(span);
  const wasInUse = lookUp?.status === 'Active' || lookUp?.status === 'Redeemed';
  return lookUp !== undefined && wasInUse && timeBetween(lookUp.span, span) < MINUTE && card.isUnexpired(span);
}

/** Checks that the service accepts a valid adjustment, and refuses an overdraw by ID. */
function checkDecision(check: OracleCheck, card: KnownCard, amount: number): void {
  const { call, account, findings } = check;
  const expected = expectedBalance(card, call.span);
  const isAccepted = call.outcome === 'accepted';
  if (!expected || !(isAccepted || isStateRefusal(call.status))) return;
  const { balance, from } = expected;
  const by = byOf(call);
  const rule = acceptedRule(by, balance, amount);
  if (!rule) {
    const overdraw = balance < 0 ? 'adjustment.by-id.refuses-redemption-below-zero' : 'adjustment.by-id.refuses-overdraw';
    const what = `A redemption of ${(-amount).toFixed(2)} by ID was accepted for ${card.name}, which had ${balance.toFixed(2)}.`;
    findings.checkPossible(!isAccepted, overdraw, what, from.span);
  } else if (isAccepted) {
    // Only the rules adjustment.by-… hold as soon as the request is accepted. The other rules are about the new balance, which a later response shows.
    if (rule.startsWith('adjustment.by-')) findings.addHeld(rule);
  } else if (findings.isOnlyClient && account.hasAcceptedBefore(call) && isOrdinary(check, card, balance)) {
    const what = `The service returns ${call.status} to an adjustment of ${card.name} by ${amount.toFixed(2)}`;
    findings.check(false, rule, `${what}; ${card.name} had ${balance.toFixed(2)}.`, from.span);
  }
}

/** Returns the rule which states that the service accepts the adjustment. Returns undefined for an overdraw by ID, which the service must refuse. */
function acceptedRule(by: By, balance: number, amount: number): RuleName | undefined {
  const after = balance + amount;
  if (amount > 0) return by === 'ID' && balance < 0 ? 'adjustment.by-id.tops-up-below-zero' : 'adjustment.positive-tops-up';
  if (by === 'ID' && isSameAmount(after, 0)) return 'adjustment.by-id.takes-whole-balance';
  if (after >= 0) return 'adjustment.negative-redeems';
  return by === 'code' ? 'adjustment.by-code.may-go-negative' : undefined;
}

/** Reports whether the service has no reason to refuse the request. */
function isOrdinary({ call, account, name }: OracleCheck, card: KnownCard, balance: number): boolean {
  const { span, request = {} } = call;
  const actionedAt = exactInstantOf(request.actionedAtUtc);
  return (
    isInUse(card, call) &&
    card.isNamedExactly(name) &&
    // A refused request may use up its unique value. So this request must be the first with the value.
    account.timesSent.get(textIn(request.uniqueAdjustmentId) ?? '') === 1 &&
    actionedAt !== undefined &&
    actionedAt < span.at - MINUTE &&
    Math.abs(Number(request.adjustmentAmount)) + Math.abs(balance) < 10_000
  );
}
