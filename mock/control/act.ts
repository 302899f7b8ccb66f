import type { Account } from '../account/account.ts';
import { type ActionDecision, isObjection } from '../domain/dashboard.ts';
import { toMinor } from '../domain/money.ts';
import type { Context } from '../domain/outcome.ts';
import { commit, runDueEvents } from '../pipeline/commit.ts';
import { problems } from '../pipeline/problems.ts';
import { refused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { ControlError } from './control-error.ts';
import type { components, operations } from './generated/types.ts';

/** What somebody does to a card: the operation of the control API, and who does it, as the timeline says. */
export interface Deed {
  readonly what: keyof operations;
  readonly actor: string;
}

/**
 * Decides and carries out what somebody does to a card, at the present moment of the account's clock and after all that is due by then. Answers
 * with the card as the API shows it. Throws ControlError for a refusal, before anything has changed.
 */
export function act(
  account: Account,
  { id }: CardRecord,
  { what, actor }: Deed,
  decide: (card: CardRecord, context: Context) => ActionDecision,
): components['schemas']['GiftCard'] {
  const now = present(account);
  const context = account.context(now, actor);
  const decision = decide(account.state.card(id) as CardRecord, context);
  if (refused(decision)) {
    const status = decision.code === 'gift-card.not-found' ? 404 : decision.code.startsWith('request.') ? 400 : 409;
    throw new ControlError(status, problems[decision.code].text(decision.about));
  }
  if (isObjection(decision)) throw new ControlError(409, decision.objection);
  commit(account, decision, account.cause('control', what, now));
  return shown(account, id, context);
}

/** The present moment of the account's clock, when all has happened that is due by then. */
export function present(account: Account): number {
  const now = account.clock.now();
  runDueEvents(account, now);
  return now;
}

/** The card as the API shows it. */
export function shown({ state }: Account, id: string, context: Context): components['schemas']['GiftCard'] {
  return JSON.parse(context.render(state.card(id) as CardRecord).text);
}

/** An amount of the body in minor units of the account's currency. */
export function minorOf({ settings: { currency } }: Account, name: string, amount: number): Minor {
  const minor = toMinor(amount, currency);
  if (minor === undefined)
    throw new ControlError(400, `${name} ${amount} has more decimals than ${currency} has, or is too large to be held exactly.`);
  return minor;
}
