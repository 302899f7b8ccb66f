import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { customFieldNames } from '../core/contract.ts';
import type { Account, Use } from './account.ts';
import { type Call, cardIn, fieldsOf, textIn } from './call.ts';
import { amountIn, isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { checkMessage, isStateRefusal } from './refusals.ts';
import { isBefore, isWithinDay } from './span.ts';

export function checkCreate(call: Call, account: Account, findings: Findings): void {
  checkUniqueId(call, account, findings);
  checkCode(call, account, findings);
  if (call.status === 200) checkNewCard(call, account, findings);
}

/** The answer to a create shows what the request gave. */
function checkNewCard({ span, request, answer }: Call, account: Account, findings: Findings): void {
  const shown = fieldsOf(answer);
  if (!request || !shown) return;
  const check = (isRight: boolean, clause: ClauseName, what: string) =>
    isRight ? findings.holds(clause) : findings.violated(clause, what, span.n);
  const given = textIn(request.code);
  if (given !== undefined && given.trim() === given && typeof shown.code === 'string')
    check(shown.code === given, 'gift-card.create.keeps-given-code', 'A new card has another code than the one given.');
  if (!request.code && shown.code !== undefined)
    check(textIn(shown.code) !== undefined, 'gift-card.create.generates-code', 'A card created without a code has no code.');
  const balance = amountIn(request.balance, account.decimals);
  if (balance !== undefined && typeof shown.balance === 'number')
    check(
      isSameAmount(shown.balance, balance),
      'gift-card.create.starts-with-given-balance',
      `A card created with ${balance} has a balance of ${shown.balance}.`,
    );
  if (shown.status !== undefined) check(shown.status === 'Active', 'gift-card.create.starts-active', 'A new card is not Active.');
  for (const name of customFieldNames) {
    const text = textIn(request[name]);
    if (text !== undefined)
      check(shown[name] === text, 'gift-card.create.stores-custom-fields', `${name} differs from the value given.`);
  }
}

function checkUniqueId(call: Call, account: Account, findings: Findings): void {
  const { span, outcome } = call;
  const uses = account.uniqueIds.get(textIn(call.request?.uniqueId) ?? '') ?? [];
  // Whether the value is free again when its card is voided, and after how long, is open.
  const before = uses.find((use) => use.span.n < span.n && isWithinDay(use.span, span) && !use.card.mayBeGone(span));
  if (!before) return;
  const isParallel = !isBefore(before.span, span);
  const clause = isParallel ? 'idempotency.create.parallel-makes-one' : 'idempotency.create.refuses-repeat';
  if (outcome === 'accepted')
    findings.possible(
      clause,
      `The uniqueId of ${before.card.name}, created in exchange ${before.span.n}, was accepted for another card.`,
      ...[before.span.n, span.n],
    );
  else if (!isParallel) checkRejection(call, account, before, clause, findings);
}

/** A code that a card in use has is refused to another card. */
function checkCode(call: Call, account: Account, findings: Findings): void {
  const { span, request, answer, outcome } = call;
  const code = textIn(request?.code) ?? (outcome === 'accepted' ? textIn(fieldsOf(answer)?.code) : undefined);
  const own = outcome === 'accepted' ? account.byId(cardIn(answer)?.id ?? '') : undefined;
  if (code === undefined || (outcome === 'accepted' && !own)) return;
  const isOther = (card: KnownCard) => card !== own && card.known !== undefined && card.known.n < span.n && !card.mayBeGone(span);
  const holder = account.holdersOf(code).find(isOther);
  // Of two creates at once, either may be the first, and its card may have been voided before the second.
  if (!holder?.creation || own?.voids.some((each) => !isBefore(span, each.span))) return;
  const clause = textIn(request?.code) === undefined ? 'gift-card.create.generates-code' : 'gift-card.create.refuses-taken-code';
  const { span: created } = holder.creation;
  if (outcome === 'accepted')
    findings.possible(
      clause,
      `Another card got the code of ${holder.name}, created in exchange ${created.n}.`,
      created.n,
      span.n,
    );
  else if (call.status === 400 && isBefore(created, span)) findings.holds(clause);
}

/** A repeat of the same request is rejected with 400 and a message; with other content, something else may be refused first. */
export function checkRejection(call: Call, account: Account, before: Use, clause: ClauseName, findings: Findings): void {
  const { span, operation, status, request } = call;
  const unique = textIn(request?.uniqueId ?? request?.uniqueAdjustmentId) ?? '';
  // A third one may be refused because the second is still under way.
  const isSecond = (account.timesSent.get(unique) ?? 0) <= 2;
  const isSameRequest = isSecond && before.operation === operation && before.request === JSON.stringify(request);
  if (status === 400) {
    findings.holds(clause);
    if (isSameRequest) checkMessage(call, findings);
  } else if (isSameRequest && isStateRefusal(status))
    findings.possible(
      clause,
      `A repeat of exchange ${before.span.n} was refused with ${status} instead of 400.`,
      ...[before.span.n, span.n],
    );
}
