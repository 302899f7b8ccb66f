import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { leaves, mentions } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { byOf, type Call, type CardNames, cardNameIn, cardNamesIn, type Fields, fieldsOf } from './call.ts';
import { checkCardState } from './card-state.ts';
import type { Findings } from './findings.ts';
import { isBefore } from './span.ts';

/** Checks the answer to a lookup by code or ID. */
export function checkLookup(call: Call, account: Account, findings: Findings, clause: ClauseName): void {
  if (call.status === 404) checkNotFound(call, account, clause, findings);
  const fields = fieldsOf(call.answer);
  const names = cardNamesIn(fields);
  if (call.status !== 200 || !fields || !names || !checkNames(call, account, names, clause, findings)) return;
  const { span } = call;
  const card = account.cardOf(names, span);
  const { creation } = card;
  for (const [name, text] of Object.entries(creation && isBefore(creation.span, span) ? creation.customFields : {}))
    findings.checkPossible(
      fields[name] === text,
      'gift-card.custom-fields.never-change',
      `${name} of ${card.name} differs from the value it was created with.`,
      ...[creation?.span.n ?? 0, span.n],
    );
  if (card.voidBefore(span)) findings.addHeld('gift-card.void.still-found');
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
  findings.check(isSame, clause, `The card in the answer has another ${by} than the request.`, call.span.n);
  return isSame;
}

/** Checks an answer with 404 about a card that an earlier exchange showed. */
export function checkNotFound(call: Call, account: Account, clause: ClauseName, findings: Findings): void {
  const { span } = call;
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  if (!card?.knownSince || !card.isKnownBefore(span)) return;
  const voided = card.voidBefore(span);
  findings.addPossible(
    voided && call.operation.startsWith('get') ? 'gift-card.void.still-found' : clause,
    `Exchange ${card.knownSince.n} showed ${card.name}, and it is not found by ${byOf(call)}.`,
    ...[(voided?.span ?? card.knownSince).n, span.n],
  );
}

/** A history has the card, with its balance. A service may cut histories off and add entries of its own, so entries are not checked. */
export function checkHistory(call: Call, account: Account, findings: Findings, clause: ClauseName): void {
  const { span, status, outcome, answer } = call;
  if (status === 404) checkNotFound(call, account, clause, findings);
  const card = account.onlyCard(byOf(call), cardNameIn(call));
  if (outcome !== 'accepted' || answer === undefined || !card?.isKnownBefore(span)) return;
  const isNamed =
    mentions(answer, card.code) || leaves(answer).some(({ value }) => String(value).toLowerCase() === card.id.toLowerCase());
  findings.check(isNamed, clause, `The history of ${card.name} does not have the card.`, span.n);
  const fields = cardWithBalance(answer);
  if (fields && cardNamesIn(fields)?.id === card.id) checkCardState(call, account, fields, clause, findings);
}

/** The first object outside of lists that looks like a card. */
function cardWithBalance(json: unknown): Fields | undefined {
  const fields = fieldsOf(json);
  if (!fields || ('balance' in fields && cardNamesIn(fields))) return fields;
  return Object.values(fields).map(cardWithBalance).find(Boolean);
}
