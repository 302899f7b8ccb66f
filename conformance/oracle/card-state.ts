import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { leaves, mentions } from '../http/json-search.ts';
import { type Account, type Expectation, expectedBalance, isSameAmount, type KnownCard } from './account.ts';
import { byOf, type Call, type CardNames, cardNameIn, cardNamesIn, type Fields, fieldsOf, isBefore, type Span } from './call.ts';
import { isStateRefusal } from './creating.ts';
import type { Findings } from './findings.ts';

/** Checks the answer to a lookup by code or ID. */
export function checkLookup(call: Call, account: Account, findings: Findings, clause: ClauseName): void {
  if (call.status === 404) checkNotFound(call, account, clause, findings);
  const fields = fieldsOf(call.answer);
  const names = cardNamesIn(fields);
  if (call.status !== 200 || !fields || !names || !checkNames(call, account, names, clause, findings)) return;
  const card = account.cardOf(names, call.span);
  const { creation } = card;
  if (creation && isBefore(creation.span, call.span))
    for (const [name, text] of Object.entries(creation.customFields)) {
      const what = `${name} of ${card.name} differs from the value it was created with.`;
      findings.checkPossible(fields[name] === text, 'gift-card.custom-fields.never-change', what, creation.span);
    }
  if (card.voidBefore(call.span)) findings.addHeld('gift-card.void.still-found');
  checkCardState(call, account, fields, clause, findings);
}

/** Checks that the answer is the card that the request names, and returns whether it is. */
function checkNames(call: Call, account: Account, names: CardNames, clause: ClauseName, findings: Findings): boolean {
  const by = byOf(call);
  const name = cardNameIn(call);
  if (name === undefined) return true;
  const isSame = by === 'code' ? name === names.code : name.toLowerCase() === names.id.toLowerCase();
  // In how many ways an ID can be written is open.
  if (!isSame && by === 'ID' && !account.cardById(name)) return true;
  findings.check(isSame, clause, `The card in the answer has another ${by} than the request.`);
  return isSame;
}

/** Checks an answer with 404 about a card that an earlier exchange showed. */
export function checkNotFound(call: Call, account: Account, clause: ClauseName, findings: Findings): void {
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  if (!card?.knownSince || !isBefore(card.knownSince, call.span) || !card.isNamedExactly(cardNameIn(call))) return;
  const voided = card.voidBefore(call.span);
  const due = voided && call.operation.startsWith('get') ? 'gift-card.void.still-found' : clause;
  const what = `Exchange ${card.knownSince.n} showed ${card.name}, and it is not found by ${byOf(call)}.`;
  findings.checkPossible(false, due, what, voided?.span ?? card.knownSince);
}

/** A history has the card, with its balance. A service may cut histories off and add entries of its own, so entries are not checked. */
export function checkHistory(call: Call, account: Account, findings: Findings, clause: ClauseName): void {
  const { span, status, outcome, answer } = call;
  if (status === 404) checkNotFound(call, account, clause, findings);
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  if (outcome !== 'accepted' || answer === undefined || !card?.knownSince || !isBefore(card.knownSince, span)) return;
  const isNamed =
    mentions(answer, card.code) || leaves(answer).some(({ value }) => String(value).toLowerCase() === card.id.toLowerCase());
  findings.check(isNamed, clause, `The history of ${card.name} does not have the card.`);
  const fields = cardWithBalance(answer);
  if (fields && cardNamesIn(fields)?.id === card.id) checkCardState(call, account, fields, clause, findings);
}

/** The first object outside of lists that looks like a card. */
function cardWithBalance(json: unknown): Fields | undefined {
  const fields = fieldsOf(json);
  if (!fields || ('balance' in fields && cardNamesIn(fields))) return fields;
  return Object.values(fields).map(cardWithBalance).find(Boolean);
}

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
  const isSame = isSameAmount(expected.balance, balance);
  const isAfterRefusal = isRefusedAmount || (isSame && refusals.length > 0 && changes.length === 0);
  // The balance of an expired card is open, and an answer without a status may show an expired card.
  const isOpen = status === 'Expired' || status === 'Voided' || (status === undefined && !card.isUnexpired(span));
  if (!isSame && isOpen) return;
  const due = isAfterRefusal ? 'errors.refusal-changes-nothing' : (adjustmentClause(expected) ?? clause);
  const added = changes.length === 0 ? '' : `, and ${changes.length} adjustments since make it ${expected.balance.toFixed(2)}`;
  const what = `${card.name} had ${from.balance.toFixed(2)} in exchange ${from.span.n}${added}; it has ${balance.toFixed(2)} now.`;
  findings.checkPossible(isSame, due, what, from.span, ...changes.slice(-4).map((each) => each.span));
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
  if (outcome !== 'refused' || !isStateRefusal(status) || !card?.knownSince || !isBefore(card.knownSince, span)) return;
  // The answer to a second void is open.
  if (!card.wasInUseBefore(span) || card.mayBeVoided(span) || !card.isNamedExactly(cardNameIn(call))) return;
  const what = `Exchange ${card.knownSince.n} showed ${card.name} in use, and voiding it by ${byOf(call)} was refused with ${status}.`;
  findings.checkPossible(false, clause, what, card.knownSince);
}

/** A voided card stays voided, with a balance of zero. */
function checkVoided({ span }: Call, card: KnownCard, { balance, status }: Fields, findings: Findings): void {
  const voided = card.voidBefore(span);
  // Whether an expiry changes a voided card is open.
  if (!voided || status === undefined || status === 'Expired') return;
  const isSince = (look: Span) => isBefore(voided.span, look) && isBefore(look, span);
  const wasVoided = card.looks.some((look) => look.status === 'Voided' && isSince(look.span));
  const voidClause = voided.by === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids';
  const what = `${card.name} was voided in exchange ${voided.span.n}`;
  const clause = wasVoided ? 'gift-card.void.is-final' : voidClause;
  findings.checkPossible(status === 'Voided', clause, `${what} and is not Voided now.`, voided.span);
  if (typeof balance !== 'number') return;
  const isEmpty = isSameAmount(balance, 0);
  if (isEmpty || (card.wasInUseBefore(voided.span) && !mayHaveChanged(card, voided.span, span))) {
    const left = `${what} and has a balance of ${balance.toFixed(2)}.`;
    findings.checkPossible(isEmpty, 'gift-card.void.zeroes-balance', left, voided.span);
  }
}

/** An earlier void may have been the first one, and an adjustment may have changed the voided card, which is open. */
const mayHaveChanged = (card: KnownCard, voided: Span, now: Span): boolean =>
  card.doubts.some((each) => !isBefore(now, each)) ||
  card.changes.some((each) => !isBefore(each.span, voided) && !isBefore(now, each.span));
