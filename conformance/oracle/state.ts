import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from './account.ts';
import { type Call, cardIn, type Fields } from './call.ts';
import { type Expectation, expectedBalance, isSameAmount, type KnownCard } from './card.ts';
import type { Findings } from './findings.ts';
import { isBefore } from './span.ts';

/** Checks the balance and the status of a card in an answer. `clause`: what the answer states, if nothing has changed the card. */
export function checkShown(call: Call, account: Account, shown: Fields, clause: ClauseName, findings: Findings): void {
  const names = cardIn(shown);
  const card = names && account.byId(names.id);
  if (!card || card.code !== names.code) return;
  if (card.voidBefore(call.span)) checkVoided(call, card, shown, findings);
  else if (typeof shown.balance === 'number') checkBalance(call, card, shown.balance, shown.status, clause, findings);
}

function checkBalance(
  call: Call,
  card: KnownCard,
  balance: number,
  status: unknown,
  clause: ClauseName,
  findings: Findings,
): void {
  const { span } = call;
  const expected = expectedBalance(card, span);
  if (!expected) return;
  const refusals = card.refusals.filter((each) => !isBefore(each.span, expected.from.span) && isBefore(each.span, span));
  const isRefusedAmount = refusals.some(({ amount = 0 }) => isSameAmount(expected.balance + amount, balance));
  const due = clauseOf(expected, isRefusedAmount && refusals.length > 0) ?? clause;
  if (isSameAmount(expected.balance, balance)) {
    findings.holds(refusals.length > 0 && expected.changes.length === 0 ? 'errors.refusal-changes-nothing' : due);
    return;
  }
  // What happens to the balance of an expired card is open, and an answer without a status may show one.
  if (status === 'Expired' || status === 'Voided' || (status === undefined && !card.isUnexpired(span))) return;
  const { from, changes } = expected;
  const added = changes.length === 0 ? '' : `, and ${changes.length} adjustments since make it ${expected.balance.toFixed(2)}`;
  findings.possible(
    due,
    `${card.name} had ${from.balance.toFixed(2)} in exchange ${from.span.n}${added}; it has ${balance.toFixed(2)} now.`,
    ...[from.span.n, ...changes.slice(-4).map((each) => each.span.n), span.n],
  );
}

/** The clause that the balance follows from; undefined if no adjustment is known since the last look. */
function clauseOf({ changes }: Expectation, isRefusedAmount: boolean): ClauseName | undefined {
  if (isRefusedAmount) return 'errors.refusal-changes-nothing';
  if (changes.some((one, index) => changes.slice(index + 1).some((other) => !isBefore(one.span, other.span))))
    return 'adjustment.parallel-all-count';
  const last = changes.at(-1)?.amount;
  return last === undefined ? undefined : last < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up';
}

/** A card that was voided stays so, with a balance of zero. */
function checkVoided({ span }: Call, card: KnownCard, { balance, status }: Fields, findings: Findings): void {
  const voided = card.voidBefore(span);
  // Whether an expiry changes a voided card is open.
  if (!voided || status === undefined || status === 'Expired') return;
  const wasShown = card.looks.some(
    (look) => look.status === 'Voided' && isBefore(look.span, span) && isBefore(voided.span, look.span),
  );
  const clause = wasShown
    ? 'gift-card.void.is-final'
    : voided.by === 'code'
      ? 'gift-card.void.by-code-voids'
      : 'gift-card.void.by-id-voids';
  if (status === 'Voided') {
    findings.holds(clause);
    if (!wasShown) findings.holds('gift-card.void.is-final');
  } else
    findings.possible(
      clause,
      `${card.name} was voided in exchange ${voided.span.n} and is not Voided now.`,
      voided.span.n,
      span.n,
    );
  if (typeof balance !== 'number') return;
  if (isSameAmount(balance, 0)) findings.holds('gift-card.void.zeroes-balance');
  else if (card.wasInUseBefore(voided.span) && !mayHaveChanged(card, voided.span, span))
    findings.possible(
      'gift-card.void.zeroes-balance',
      `${card.name} was voided in exchange ${voided.span.n} and has a balance of ${balance.toFixed(2)}.`,
      voided.span.n,
      span.n,
    );
}

/** Whether an adjustment may have changed the card after it was voided, which is open. */
const mayHaveChanged = (card: KnownCard, voided: Call['span'], seen: Call['span']): boolean =>
  card.isDoubtful(voided, seen) || card.changes.some((each) => !isBefore(each.span, voided) && !isBefore(seen, each.span));
