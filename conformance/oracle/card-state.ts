import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from './account.ts';
import { byOf, type Call, cardNameIn, cardNamesIn, type Fields } from './call.ts';
import { type Expectation, expectedBalance, isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { isStateRefusal } from './refusals.ts';
import { isBefore, type Span } from './span.ts';

/** Checks the balance and the status of a card in an answer. `clause`: what the answer states if nothing has changed the card. */
export function checkCardState(call: Call, account: Account, fields: Fields, clause: ClauseName, findings: Findings): void {
  const names = cardNamesIn(fields);
  const card = names && account.cardById(names.id);
  if (!card || card.code !== names.code) return;
  if (card.voidBefore(call.span)) checkVoided(call, card, fields, findings);
  else if (typeof fields.balance === 'number') checkBalance(call, card, fields.balance, fields.status, clause, findings);
}

function checkBalance(
  { span }: Call,
  card: KnownCard,
  balance: number,
  status: unknown,
  clause: ClauseName,
  findings: Findings,
): void {
  const expected = expectedBalance(card, span);
  if (!expected) return;
  const { from, changes } = expected;
  const refusals = card.refusals.filter((each) => !isBefore(each.span, from.span) && isBefore(each.span, span));
  const isRefusedAmount = refusals.some(({ amount = 0 }) => isSameAmount(expected.balance + amount, balance));
  const due = isRefusedAmount ? 'errors.refusal-changes-nothing' : (adjustmentClause(expected) ?? clause);
  if (isSameAmount(expected.balance, balance)) {
    findings.addHeld(refusals.length > 0 && changes.length === 0 ? 'errors.refusal-changes-nothing' : due);
    return;
  }
  // The balance of an expired card is open, and an answer without a status may show an expired card.
  if (status === 'Expired' || status === 'Voided' || (status === undefined && !card.isUnexpired(span))) return;
  const added = changes.length === 0 ? '' : `, and ${changes.length} adjustments since make it ${expected.balance.toFixed(2)}`;
  findings.addPossible(
    due,
    `${card.name} had ${from.balance.toFixed(2)} in exchange ${from.span.n}${added}; it has ${balance.toFixed(2)} now.`,
    ...[from.span.n, ...changes.slice(-4).map((each) => each.span.n), span.n],
  );
}

/** The clause that the balance follows from; undefined if no adjustment is known since the last look. */
function adjustmentClause({ changes }: Expectation): ClauseName | undefined {
  if (changes.some((one, index) => changes.slice(index + 1).some((other) => !isBefore(one.span, other.span))))
    return 'adjustment.parallel-all-count';
  const last = changes.at(-1)?.amount;
  return last === undefined ? undefined : last < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up';
}

/** A card in use can be voided. The next lookup shows whether it was. */
export function checkVoid(call: Call, account: Account, findings: Findings, clause: ClauseName): void {
  const { span, status, outcome } = call;
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  // The answer to a second void is open.
  if (outcome !== 'refused' || !isStateRefusal(status) || !card?.isKnownBefore(span) || !card.wasInUseBefore(span)) return;
  if (card.mayBeVoided(span)) return;
  findings.addPossible(
    clause,
    `Exchange ${card.knownSince?.n} showed ${card.name} in use, and voiding it by ${byOf(call)} was refused with ${status}.`,
    ...[card.knownSince?.n ?? 0, span.n],
  );
}

/** A voided card stays voided, with a balance of zero. */
function checkVoided({ span }: Call, card: KnownCard, { balance, status }: Fields, findings: Findings): void {
  const voided = card.voidBefore(span);
  // Whether an expiry changes a voided card is open.
  if (!voided || status === undefined || status === 'Expired') return;
  const wasVoided = card.looks.some(
    (look) => look.status === 'Voided' && isBefore(look.span, span) && isBefore(voided.span, look.span),
  );
  const voidClause = voided.by === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids';
  const about = [voided.span.n, span.n];
  findings.checkPossible(
    status === 'Voided',
    wasVoided ? 'gift-card.void.is-final' : voidClause,
    `${card.name} was voided in exchange ${voided.span.n} and is not Voided now.`,
    ...about,
  );
  if (typeof balance !== 'number') return;
  if (isSameAmount(balance, 0)) findings.addHeld('gift-card.void.zeroes-balance');
  else if (card.wasInUseBefore(voided.span) && !mayHaveChanged(card, voided.span, span))
    findings.addPossible(
      'gift-card.void.zeroes-balance',
      `${card.name} was voided in exchange ${voided.span.n} and has a balance of ${balance.toFixed(2)}.`,
      ...about,
    );
}

/** An earlier void may have been the first one, and an adjustment may have changed the voided card, which is open. */
const mayHaveChanged = (card: KnownCard, voided: Span, now: Span): boolean =>
  card.doubts.some((each) => !isBefore(now, each)) ||
  card.changes.some((each) => !isBefore(each.span, voided) && !isBefore(now, each.span));
