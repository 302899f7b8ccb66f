import type { Account } from './account.ts';
import { happen } from './domain/time.ts';

/** Whatever is due on the account's clock by `now` happens first: in order, each at its own moment. */
export function settle(account: Account, now: number): void {
  for (let due = account.agenda.next(); due && due.at <= now; due = account.agenda.next()) {
    account.agenda.takeNext();
    // A moment before the card existed (gift-card.create.past-expiry) is taken when the card does.
    const at = Math.max(due.at, account.state.card(due.cardId)?.createdAt ?? due.at);
    const outcome = happen(due, account.context(at, 'the clock'));
    if (!outcome) continue;
    account.writer.writeCards(outcome.changes);
    account.commit(outcome.changes);
    account.effects.queue(outcome.effects, { kind: 'clock', what: due.kind, at });
  }
}
