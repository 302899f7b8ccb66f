import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { customFieldNames } from '../core/contract.ts';
import type { Account } from './account.ts';
import { type Call, cardNamesIn, fieldsOf, textIn } from './call.ts';
import { amountIn, isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { checkRejection } from './refusals.ts';
import { isBefore, isWithinDay } from './span.ts';

export function checkCreate(call: Call, account: Account, findings: Findings): void {
  checkUniqueId(call, account, findings);
  checkCode(call, account, findings);
  if (call.status === 200) checkNewCard(call, account, findings);
}

/** The answer to a create has the values of the request. */
function checkNewCard({ span, request, answer }: Call, account: Account, findings: Findings): void {
  const card = fieldsOf(answer);
  if (!request || !card) return;
  const check = (holds: boolean, clause: ClauseName, what: string) => findings.check(holds, clause, what, span.n);
  const code = textIn(request.code);
  if (code !== undefined && code.trim() === code && typeof card.code === 'string')
    check(card.code === code, 'gift-card.create.keeps-given-code', 'A new card has another code than the one given.');
  if (!request.code && card.code !== undefined)
    check(textIn(card.code) !== undefined, 'gift-card.create.generates-code', 'A card created without a code has no code.');
  const balance = amountIn(request.balance, account.decimals);
  if (balance !== undefined && typeof card.balance === 'number')
    check(
      isSameAmount(card.balance, balance),
      'gift-card.create.starts-with-given-balance',
      `A card created with ${balance} has a balance of ${card.balance}.`,
    );
  if (card.status !== undefined) check(card.status === 'Active', 'gift-card.create.starts-active', 'A new card is not Active.');
  for (const name of customFieldNames) {
    const text = textIn(request[name]);
    if (text !== undefined)
      check(card[name] === text, 'gift-card.create.stores-custom-fields', `${name} differs from the value given.`);
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
  if (outcome === 'accepted')
    findings.addPossible(
      clause,
      `The uniqueId of ${before.card?.name}, created in exchange ${before.span.n}, was accepted for another card.`,
      ...[before.span.n, span.n],
    );
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
  if (outcome === 'accepted')
    findings.addPossible(
      clause,
      `Another card got the code of ${holder.name}, created in exchange ${created.n}.`,
      ...[created.n, span.n],
    );
  else if (call.status === 400 && isBefore(created, span)) findings.addHeld(clause);
}
