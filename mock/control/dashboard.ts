import type { Account } from '../account.ts';
import { addInDashboard } from '../domain/adjustments.ts';
import { byId } from '../domain/finding.ts';
import { toMinor } from '../money.ts';
import { problems } from '../problems.ts';
import { refused } from '../refusal.ts';
import { carryOut, settle } from '../settle.ts';
import { ControlError } from './control-error.ts';

/**
 * What somebody does in the dashboard of the real service: changes a card's balance. Body: giftCardId, adjustmentAmount (signed, in the account's
 * currency) and, if wanted, notes. Answers with the card.
 */
export function adjustInDashboard(account: Account, body: object | undefined) {
  const { giftCardId, adjustmentAmount, notes = null, ...others } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) {
    throw new ControlError(400, `"${unknown}" is not known here; send giftCardId, adjustmentAmount and, if wanted, notes.`);
  }
  if (typeof giftCardId !== 'string') throw new ControlError(400, 'giftCardId must be the id of a card, as a text.');
  if (notes !== null && typeof notes !== 'string') throw new ControlError(400, 'notes must be a text, or left out.');
  const { currency } = account.settings;
  const amount = typeof adjustmentAmount === 'number' ? toMinor(adjustmentAmount, currency) : undefined;
  if (!amount)
    throw new ControlError(400, `adjustmentAmount must be a number other than 0, with no more decimals than ${currency} has.`);

  const now = account.clock.now();
  settle(account, now);
  const context = account.context(now, 'the dashboard');
  const outcome = addInDashboard(
    byId(context.state, giftCardId),
    { amount, notes, actionedAt: now, uniqueAdjustmentId: null },
    context,
  );
  if (refused(outcome)) {
    throw new ControlError(outcome.code === 'gift-card.not-found' ? 404 : 409, problems[outcome.code].text(outcome.about));
  }
  carryOut(account, outcome, account.cause('control', 'adjustment', now));
  const card = account.state.card(giftCardId);
  return card && JSON.parse(context.write(card).text);
}
