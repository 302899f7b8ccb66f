import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Docket } from '../proxy/finding.ts';
import { guidFold } from '../proxy/pseudonymizer.ts';
import { cardIn, fieldsOf, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { judgeBalance } from './balances.ts';
import { cardOf, wayOf } from './learn.ts';
import { isBefore } from './span.ts';
import { judgeVoided } from './voiding.ts';

/** What is stated of a card that is looked up, beside the form of the answer. */
export function judgeLook(read: Read, account: SeenAccount, docket: Docket): void {
  if (read.status === 404) judgeMissing(read, account, docket);
  if (read.status !== 200) return;
  const names = cardIn(read.told);
  const { balance, status, ...shown } = fieldsOf(read.told) ?? {};
  if (!names || !judgeNames(read, account, names, docket)) return;
  const card = account.shown(names.code, names.id);
  for (const [name, text] of Object.entries(card.made && isBefore(card.made.span, read.seen) ? card.made.customFields : {})) {
    if (shown[name] === text) docket.holds('gift-card.custom-fields.unchanged-for-good');
    else
      docket.contradicts(
        'gift-card.custom-fields.unchanged-for-good',
        `${name} of ${card.name} is not what it was created with.`,
        card.made?.span.n ?? 0,
        read.seen.n,
      );
  }
  const voided = card.voidBefore(read.seen);
  if (voided) {
    docket.holds('gift-card.void.still-found');
    judgeVoided(read, card, voided, { balance, status }, docket);
  } else if (typeof balance === 'number') judgeBalance(read, account, card, { balance, status }, found(read), docket);
}

const found = (read: Read): ClauseName =>
  wayOf(read) === 'code' ? 'gift-card.get-by-code.returns-the-card' : 'gift-card.get-by-id.returns-the-card';

/** Whether the card is the one that was asked for. */
function judgeNames(
  read: Read,
  account: SeenAccount,
  names: { readonly code: string; readonly id: string },
  docket: Docket,
): boolean {
  const { seen, parameters } = read;
  const asked = wayOf(read) === 'code' ? parameters.code : parameters.id;
  const got = wayOf(read) === 'code' ? names.code : names.id;
  if (asked === undefined || seen.doubtful) return true;
  if (asked === got) {
    judgeOther(read, account, names, docket);
    return true;
  }
  // In how many ways an ID can be written is open; one that was written as it was answered is its own.
  const isSameGuid = guidFold(asked) !== undefined && guidFold(asked) === guidFold(got);
  if (wayOf(read) === 'ID' && (isSameGuid || account.byId(asked)?.code === undefined)) return true;
  docket.violates(found(read), `A card was looked up by ${wayOf(read)}, and the answer is a card with another.`, seen.n);
  return false;
}

/** A code leads to the card that has it, unless that was voided or deleted, or has expired, and the code was given again. */
function judgeOther(
  read: Read,
  account: SeenAccount,
  { code, id }: { readonly code: string; readonly id: string },
  docket: Docket,
): void {
  const { seen } = read;
  const holders = account.holdersOf(code).filter((card) => card.isKnownBefore(seen) && !account.mayBeGoneAt(card, seen));
  const other = holders.find((card) => card.id !== undefined && card.id !== id);
  if (wayOf(read) === 'ID' || !other || holders.some((card) => card.id === id && card.made?.code === code))
    docket.holds(found(read));
  else
    docket.contradicts(
      found(read),
      `The code of ${other.name}, seen in exchange ${other.known?.n}, is answered with a card that has another ID.`,
      other.known?.n ?? 0,
      seen.n,
    );
}

function judgeMissing(read: Read, account: SeenAccount, docket: Docket): void {
  const card = cardOf(read, account);
  // What was moved by a code or an ID, and never shown with both, may be one that has it in another spelling, which looking up need not find.
  if (!card?.known || !isBefore(card.known, read.seen) || card.code === undefined || card.id === undefined) return;
  const voided = card.voidBefore(read.seen);
  const clause = voided ? 'gift-card.void.still-found' : found(read);
  docket.contradicts(
    clause,
    `${card.name}${voided ? ', which is voided,' : ''} was there in exchange ${card.known.n} and is not found by ${wayOf(read)}.`,
    (voided?.span ?? card.known).n,
    read.seen.n,
  );
}
