import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Docket } from '../proxy/finding.ts';
import type { Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { explains, isShort, type Reckoning, reckon, type SeenCard } from './card.ts';
import { isBefore } from './span.ts';

/** Whether a balance is what was seen before and what passed since; the clause is of the answer, where nothing moved it. */
export function judgeBalance(
  read: Read,
  account: SeenAccount,
  card: SeenCard,
  { balance, status }: { readonly balance: number; readonly status: unknown },
  answered: ClauseName,
  docket: Docket,
): void {
  const reckoned = reckon(card, read.seen);
  if (!reckoned) return;
  const refused = refusedBetween(reckoned, card, read);
  if (explains(reckoned, balance)) {
    if (reckoned.perhaps.length === 0) docket.holds(moved(reckoned, refused.length > 0) ?? answered);
    return;
  }
  const isRefused = refused.some(
    ({ amount }) => amount !== undefined && explains({ ...reckoned, balance: reckoned.balance + amount }, balance),
  );
  const clause =
    reckoned.perhaps.length > 0 && isShort(reckoned, balance)
      ? 'adjustment.parallel-all-count'
      : (moved(reckoned, isRefused) ?? answered);
  const { from, surely, perhaps } = reckoned;
  const sum = surely.map(({ amount = 0 }) => `${amount < 0 ? '−' : '+'} ${Math.abs(amount).toFixed(2)}`).join(' ');
  const since =
    surely.length === 0
      ? 'nothing that passed since moves it'
      : `${sum} passed since, which makes ${reckoned.balance.toFixed(2)}`;
  const besides = perhaps.length === 0 ? '' : `, and no order of what came at once explains it`;
  const words = `${card.name} held ${from.balance.toFixed(2)} in exchange ${from.span.n}; ${since}${besides}; it holds ${balance.toFixed(2)}.`;
  const numbers = [from.span.n, ...surely.slice(-4).map(({ span }) => span.n), read.seen.n];
  // One whose status is not told may have expired.
  if (status === undefined && !card.isStillAt(read.seen)) return;
  // What becomes of the balance of an expired card is open, and so is what else may be spelt like its code.
  const isOpen = status === 'Expired' || status === 'Voided' || account.hasOtherSpelling(card);
  if (isOpen)
    docket.open(
      undefined,
      `${status === 'Expired' || status === 'Voided' ? `The balance of a card that is ${status} by something that did not pass` : 'The balance of a card whose code is spelt in several ways'} has moved.`,
      read.seen.n,
    );
  else docket.contradicts(clause, words, ...numbers);
}

/** The clause by which the balance is what it is; none where nothing is known to have moved it, so that what somebody else did is told by the look itself. */
function moved({ surely }: Reckoning, isRefused: boolean): ClauseName | undefined {
  const last = surely.at(-1)?.amount ?? 0;
  if (surely.length > 0) return last < 0 ? 'adjustment.negative-redeems' : 'adjustment.positive-tops-up';
  return isRefused ? 'errors.refusal-changes-nothing' : undefined;
}

const refusedBetween = ({ from }: Reckoning, card: SeenCard, read: Read) =>
  card.refusals.filter(({ span }) => isBefore(from.span, span) && isBefore(span, read.seen));
