import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Docket } from '../proxy/finding.ts';
import { amountIn, type Read, textIn } from '../proxy/read.ts';
import { refusedOtherwise, tellsWhyIn } from '../proxy/rejection.ts';
import type { SeenAccount, Use } from './account.ts';
import { isSame, reckon, type SeenCard } from './card.ts';
import { isOpenAt, judgeRefusal } from './declining.ts';
import { cardOf, contentOf, wayOf } from './learn.ts';
import { judgeUnknown } from './missing.ts';
import { isBefore, overlap, withinDay } from './span.ts';

/** What is stated of adding an adjustment, beside the form of the answer. */
export function judgeAdjustment(read: Read, account: SeenAccount, decimals: number, docket: Docket): void {
  const card = cardOf(read, account);
  if (judgeRepeat(read, account, card, docket) || !card) return;
  const amount = amountIn(read.asked?.adjustmentAmount, decimals);
  if (amount === undefined || amount === 0 || account.mayBeVoidedAt(card, read.seen)) return;
  if (wayOf(read) === 'ID' && amount < 0) judgeOverdraw(read, card, amount, docket);
  if (read.accepted) {
    judgeTaken(read, card, amount, docket);
    judgeUnknown(read, account, card, docket);
  } else judgeRefusal(read, account, card, amount, docket);
}

/** Whether the unique value was used before, so that nothing else is to be said. */
function judgeRepeat(read: Read, account: SeenAccount, card: SeenCard | undefined, docket: Docket): boolean {
  const { seen, accepted, refused, status, asked = {} } = read;
  const unique = textIn(asked.uniqueAdjustmentId);
  const uses = unique === undefined ? [] : (account.uniqueAdjustmentIds.get(unique) ?? []);
  const binding = uses.filter(({ span }) => span.n !== seen.n && withinDay(span, seen));
  const before = binding.find(({ span }) => isBefore(span, seen));
  const beside = binding.find(({ span }) => overlap(span, seen) && span.n < seen.n);
  if (!before) {
    if (accepted && beside)
      docket.violates(
        'idempotency.adjustment.parallel-counts-once',
        'Two adjustments that came at once with one uniqueAdjustmentId were both accepted.',
        beside.span.n,
        seen.n,
      );
    return beside !== undefined;
  }
  const clause = repeatClause(read, card, before);
  const words = `The uniqueAdjustmentId of exchange ${before.span.n}, on ${before.card.name}, was`;
  const isOrdinary = card !== undefined && standsFor(card, before, read, account);
  if (accepted) docket.violates(clause, `${words} accepted once more${card ? ` on ${card.name}` : ''}.`, before.span.n, seen.n);
  else if (status === 400) {
    docket.holds(clause);
    if (isOrdinary) tellsWhyIn(read, docket);
  } else if (refused && !refusedOtherwise.has(status) && isOrdinary)
    docket.contradicts(clause, `${words} refused with ${status} and not with 400.`, before.span.n, seen.n);
  return true;
}

function repeatClause(read: Read, card: SeenCard | undefined, { card: on, by, content }: Use): ClauseName {
  const { asked = {} } = read;
  if (card && card !== on) return 'idempotency.adjustment.repeat-on-other-card-refused';
  if (by !== wayOf(read)) return 'idempotency.adjustment.repeat-by-other-endpoint-refused';
  return content === contentOf(asked)
    ? 'idempotency.adjustment.refuses-repeat'
    : 'idempotency.adjustment.repeat-with-other-content-refused';
}

/** Nothing else is known for which the adjustment might be refused: it was taken before, of a card that was there still. What was sent several times may be under way. */
function standsFor(card: SeenCard, before: Use, read: Read, account: SeenAccount): boolean {
  const { seen, asked = {} } = read;
  const [by, amount] = [wayOf(read), asked.adjustmentAmount];
  return (
    before.card === card &&
    before.by === by &&
    before.content === contentOf(asked) &&
    account.timesSent(textIn(asked.uniqueAdjustmentId) ?? '') <= 2 &&
    (by === 'code' || (typeof amount === 'number' && amount > 0)) &&
    isOpenAt(card, seen) &&
    !account.mayBeVoidedAt(card, seen)
  );
}

const money = (amount: number) => amount.toFixed(2);

function judgeOverdraw(read: Read, card: SeenCard, amount: number, docket: Docket): void {
  const { seen, accepted, refused, status } = read;
  const reckoned = reckon(card, seen);
  if (!reckoned || -amount <= reckoned.most + 1e-6) return;
  const clause = reckoned.most < 0 ? 'adjustment.by-id.refuses-redemption-below-zero' : 'adjustment.by-id.refuses-overdraw';
  const { from, most } = reckoned;
  const held = reckoned.perhaps.length > 0 ? `at most ${money(most)}` : money(most);
  if (accepted)
    docket.contradicts(
      clause,
      `${money(-amount)} of ${card.name} were redeemed by ID, which held ${held} by exchange ${from.span.n} and what passed since.`,
      from.span.n,
      seen.n,
    );
  else if (refused && !refusedOtherwise.has(status) && status !== 404) docket.holds(clause);
}

function judgeTaken({ seen, operation }: Read, card: SeenCard, amount: number, docket: Docket): void {
  const reckoned = reckon(card, seen);
  if (!reckoned || reckoned.perhaps.length > 0) return;
  const after = reckoned.balance + amount;
  if (operation === 'addAdjustmentByGiftCardCode') {
    if (amount < 0 && after < -1e-6) docket.holds('adjustment.by-code.may-go-negative');
  } else if (amount < 0 && isSame(after, 0)) docket.holds('adjustment.by-id.takes-whole-balance');
  else if (amount > 0 && reckoned.balance < 0) docket.holds('adjustment.by-id.tops-up-below-zero');
}
