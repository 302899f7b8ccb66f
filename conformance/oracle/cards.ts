import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Account } from './account.ts';
import { byOf, type Call, cardIn, cardNameIn, fieldsOf } from './call.ts';
import type { Findings } from './findings.ts';
import { isStateRefusal } from './refusals.ts';
import { isBefore } from './span.ts';
import { checkShown } from './state.ts';

/** A card looked up by code or ID. */
export function checkLookup(call: Call, account: Account, findings: Findings): void {
  const clause: ClauseName =
    byOf(call) === 'code' ? 'gift-card.get-by-code.returns-the-card' : 'gift-card.get-by-id.returns-the-card';
  if (call.status === 404) checkNotFound(call, account, clause, findings);
  const shown = fieldsOf(call.answer);
  const names = cardIn(shown);
  if (call.status !== 200 || !shown || !names || !isRequested(call, account, names, clause, findings)) return;
  const { span } = call;
  const card = account.shown(names.code, names.id);
  const { creation } = card;
  for (const [name, text] of Object.entries(creation && isBefore(creation.span, span) ? creation.customFields : {})) {
    if (shown[name] === text) findings.holds('gift-card.custom-fields.unchanged-for-good');
    else
      findings.possible(
        'gift-card.custom-fields.unchanged-for-good',
        `${name} of ${card.name} differs from the value it was created with.`,
        ...[creation?.span.n ?? 0, span.n],
      );
  }
  if (card.voidBefore(span)) findings.holds('gift-card.void.still-found');
  checkShown(call, account, shown, clause, findings);
}

/** Whether the answer is the card that the request names. */
function isRequested(
  call: Call,
  account: Account,
  names: { code: string; id: string },
  clause: ClauseName,
  findings: Findings,
): boolean {
  const { span } = call;
  const by = byOf(call);
  const name = cardNameIn(call);
  if (name === undefined) return true;
  const isSame = by === 'code' ? name === names.code : name.toLowerCase() === names.id.toLowerCase();
  // In how many ways an ID can be written is open.
  if (!isSame && by === 'ID' && account.byId(name)?.code === undefined) return true;
  if (!isSame) {
    findings.violated(clause, `The card in the answer has another ${by} than the request.`, span.n);
    return false;
  }
  const other = account.holdersOf(names.code).find((each) => each.id !== undefined && each !== account.byId(names.id));
  if (by === 'ID' || !other || !other.isKnownBefore(span) || other.mayBeGone(span) || account.byId(names.id)?.creation)
    findings.holds(clause);
  else
    findings.possible(
      clause,
      `Exchange ${other.known?.n} showed ${other.name} with this code, and the answer is another card.`,
      ...[other.known?.n ?? 0, span.n],
    );
  return true;
}

/** Not found, though an exchange showed the card. */
export function checkNotFound(call: Call, account: Account, clause: ClauseName, findings: Findings): void {
  const { span } = call;
  const card = account.only(byOf(call), cardNameIn(call));
  if (!card?.known || !card.isKnownBefore(span) || card.code === undefined || card.id === undefined) return;
  const voided = card.voidBefore(span);
  findings.possible(
    voided && call.operation.startsWith('get') ? 'gift-card.void.still-found' : clause,
    `Exchange ${card.known.n} showed ${card.name}, and it is not found by ${byOf(call)}.`,
    ...[(voided?.span ?? card.known).n, span.n],
  );
}

/** A card that is in use can be voided; the next look at it shows whether it was. */
export function checkVoid(call: Call, account: Account, findings: Findings): void {
  const { span, status, outcome } = call;
  const card = account.only(byOf(call), cardNameIn(call));
  // The answer to a second void is open.
  if (outcome !== 'refused' || !isStateRefusal(status) || !card?.isKnownBefore(span) || !card.wasInUseBefore(span)) return;
  if (card.mayBeVoided(span)) return;
  findings.possible(
    byOf(call) === 'code' ? 'gift-card.void.by-code-voids' : 'gift-card.void.by-id-voids',
    `Exchange ${card.known?.n} showed ${card.name} in use, and voiding it by ${byOf(call)} was refused with ${status}.`,
    ...[card.known?.n ?? 0, span.n],
  );
}
