import type { Account } from '../account/account.ts';
import type { Due } from '../account/scheduler.ts';
import type { Outcome } from '../domain/outcome.ts';
import { happen } from '../domain/time.ts';
import type { Cause } from '../outbound/cause.ts';

/** Runs everything that is due on the account's clock by `now`: in order, each at its own time. */
export function runDueEvents(account: Account, now: number): void {
  for (let due = account.agenda.next(); due && due.at <= now; due = account.agenda.next()) {
    account.agenda.takeNext();
    // A time before the card existed (gift-card.create.past-expiry) is replaced by the card's creation.
    const at = Math.max(due.at, account.state.card(due.cardId)?.createdAt ?? due.at);
    // What breaks here is a defect of ours, and not the fault of the request that happens to come next.
    account.effects.guarded(() => {
      const outcome = happen(due, account.context(at, 'the clock'));
      if (outcome) commit(account, outcome, account.cause('clock', due.kind, at), due);
    });
  }
}

/** How every decision ends: its cards are checked against the contract, its changes applied, and its effects queued. */
export function commit(account: Account, decided: Outcome<unknown>, cause: Cause, due?: Due): void {
  const { changes, effects } = account.seams.commit?.(decided, cause, account.state) ?? decided;
  account.renderer.renderChanged(changes);
  account.apply(changes, cause);
  if (due) account.effects.fell(due, cause);
  account.effects.queue(effects, cause);
}
