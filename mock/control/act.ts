import type { GiftCard } from '../../openapi/generated/types.ts';
import { type ActionDecision, deleted, isObjection } from '../domain/merchant.ts';
import { toMinor } from '../domain/money.ts';
import type { Context } from '../domain/outcome.ts';
import { commit, runDueEvents } from '../pipeline/commit.ts';
import { problems } from '../pipeline/problems.ts';
import { isRefused } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import type { operations } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

/**
 * Runs due events, decides about the card, and commits the decision. The card's timeline names the actor. If the decision is a refusal, throws
 * ControlError and changes nothing.
 */
export function act(
  { account, card: { id } }: { readonly account: ControlledAccount; readonly card: CardRecord },
  what: keyof operations,
  decide: (card: CardRecord, context: Context) => ActionDecision,
  actor = 'the merchant',
): GiftCard {
  const now = presentTime(account);
  const context = account.context(now, actor);
  const current = account.state.card(id) as CardRecord;
  const decision = current.deletedAt === null ? decide(current, context) : deleted(current);
  if (isRefused(decision)) {
    const status = decision.code.startsWith('request.') ? 400 : 409;
    throw new ControlError(status, problems[decision.code].text(decision.about));
  }
  if (isObjection(decision)) throw new ControlError(409, decision.objection);
  commit(account, decision, account.journal.cause('control', what, now));
  return serviceView(account, id, context);
}

/** Runs due events, and returns the time of the account's clock. */
export function presentTime(account: ControlledAccount): number {
  const now = account.clock.now();
  runDueEvents(account, now);
  return now;
}

/** Returns the card as the service's API shows cards. */
export function serviceView({ state }: ControlledAccount, id: string, context: Context): GiftCard {
  return JSON.parse(context.render(state.card(id) as CardRecord).text);
}

/** Converts an amount of the body to minor units of the account's currency. */
export function minorOf({ settings: { currency } }: ControlledAccount, name: string, amount: number): Minor {
  const minor = toMinor(amount, currency);
  if (minor === undefined)
    throw new ControlError(400, `${name} ${amount} has too many decimals for ${currency}, or is too large.`);
  return minor;
}
