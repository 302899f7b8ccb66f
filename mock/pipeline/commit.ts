import type { Account } from '../account/account.ts';
import type { Due } from '../account/scheduler.ts';
import type { Operation } from '../contract/paths.ts';
import type { Outcome } from '../domain/outcome.ts';
import { happen, noticeAtUse } from '../domain/time.ts';
import type { Cause } from '../outbound/cause.ts';
import type { CardRecord } from '../state/records.ts';
import { mannerOf } from './compiled-behaviors.ts';
import { inNames, type Refusal, refused } from './refusal.ts';

/** Whatever is due on the account's clock by `now` happens first: in order, each at its own moment. */
export function settle(account: Account, now: number): void {
  for (let due = account.agenda.next(); due && due.at <= now; due = account.agenda.next()) {
    account.agenda.takeNext();
    // A moment before the card existed (gift-card.create.past-expiry) is taken when the card does.
    const at = Math.max(due.at, account.state.card(due.cardId)?.createdAt ?? due.at);
    // What breaks here is a defect of ours, and none of the request that happened to come next.
    account.effects.guarded(() => {
      const outcome = happen(due, account.context(at, 'the clock'));
      if (outcome) carryOut(account, outcome, account.cause('clock', due.kind, at), due);
    });
  }
}

/** What a request is about to use is as it should be before anything is decided on it. */
export function settleUsed(account: Account, card: CardRecord | Refusal | undefined, now: number): void {
  if (card === undefined || refused(card)) return;
  const outcome = noticeAtUse(card, account.context(now, 'the clock'));
  if (outcome) carryOut(account, outcome, account.cause('clock', 'expiry', now));
}

/** What a refused request leaves behind, which is nothing by default (idempotency.refused-request); the refusal again, as the wire calls what it is about. */
export function leave(account: Account, refusal: Refusal, { id, names }: Operation, now: number): Refusal {
  const { changes } = refusal;
  if (changes.length > 0) carryOut(account, { reply: undefined, changes, effects: [] }, account.cause('request', id, now));
  return inNames(refusal, names);
}

/** How every decision ends: what it writes is checked against the contract, then carried out, and its effects are queued. */
export function carryOut(account: Account, decided: Outcome<unknown>, cause: Cause, due?: Due): void {
  const outcome = account.seams.commit?.(decided, cause, account.state) ?? decided;
  const { hush } = mannerOf(account.behaviors);
  const changes = hush ? hush(outcome.changes, cause, account.state) : outcome.changes;
  account.writer.writeCards(changes);
  account.apply(changes, cause);
  if (due) account.effects.fell(due, cause);
  account.effects.queue(outcome.effects, cause);
}
