import type { Account } from '../account.ts';
import { addInDashboard } from '../domain/adjustments.ts';
import { byId } from '../domain/finding.ts';
import { type Minor, toMinor } from '../money.ts';
import type { Context, Outcome } from '../outcome.ts';
import { problems } from '../problems.ts';
import type { CardRecord } from '../records.ts';
import { type Refusal, refused } from '../refusal.ts';
import { carryOut, settle } from '../settle.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

type Schemas = components['schemas'];

/** Changes a card's balance as the dashboard does: it is pushed, told and delivered. Answers with the card as the API shows it. */
export function adjust(account: Account, card: CardRecord, { amount, notes = null }: Schemas['DashboardAdjustment']) {
  const minor = minorOf(account, 'amount', amount);
  if (minor === 0) throw new ControlError(400, 'amount 0 changes nothing; give another one.');
  return act(account, card, 'adjustCard', (current, context) =>
    addInDashboard(current, { amount: minor, notes, actionedAt: context.now, uniqueAdjustmentId: null }, context),
  );
}

/**
 * Decides and carries out what somebody does to a card, at the present moment of the account's clock and after all that is due by then. Throws
 * ControlError for a refusal; answers with the card.
 */
function act(
  account: Account,
  { id }: CardRecord,
  what: string,
  decide: (card: CardRecord | Refusal, context: Context) => Outcome<unknown> | Refusal,
): Schemas['GiftCard'] {
  const now = account.clock.now();
  settle(account, now);
  const context = account.context(now, 'the dashboard');
  const outcome = decide(byId(context.state, id), context);
  if (refused(outcome)) {
    const status = outcome.code === 'gift-card.not-found' ? 404 : outcome.code === 'request.invalid' ? 400 : 409;
    throw new ControlError(status, problems[outcome.code].text(outcome.about));
  }
  carryOut(account, outcome, account.cause('control', what, now));
  return JSON.parse(context.write(byId(account.state, id) as CardRecord).text);
}

function minorOf({ settings: { currency } }: Account, name: string, amount: number): Minor {
  const minor = toMinor(amount, currency);
  if (minor === undefined)
    throw new ControlError(400, `${name} ${amount} has more decimals than ${currency} has, or is too large to be held exactly.`);
  return minor;
}
