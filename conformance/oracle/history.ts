import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { leaves, mentions } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { byOf, type Call, cardNameIn, cardNamesIn, type Fields, fieldsOf } from './call.ts';
import { checkCardState } from './card-state.ts';
import { checkNotFound } from './cards.ts';
import type { Findings } from './findings.ts';

/** A history has the card, with its balance. A service may cut histories off and add entries of its own, so entries are not checked. */
export function checkHistory(call: Call, account: Account, findings: Findings): void {
  const { span, status, outcome, answer } = call;
  const clause: ClauseName =
    byOf(call) === 'code'
      ? 'adjustment.history.by-code-shows-card-and-entries'
      : 'adjustment.history.by-id-shows-card-and-entries';
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
