import type { Account } from '../account/account.ts';
import { mustExist } from '../account/accounts.ts';
import { runInSlices, type Slices } from '../account/clock.ts';
import { decideDueEvent } from '../domain/due-events.ts';
import type { Decision } from '../domain/outcome.ts';
import type { ChangeSummary } from '../journal/change-summary.ts';
import type { Cause } from '../outbound/cause.ts';

/** Runs every event that is due on the account's clock by `now`. The events run in order, each at its own time. */
export function runDueEvents(account: Account, now: number): void {
  while (runNextEvent(account, now));
}

/**
 * Runs due events as `runDueEvents` does, but in slices of time, so that other accounts get responses in between. Requests of this account wait for the
 * promise (serve in handle.ts). Returns undefined if no event is left.
 */
export function catchUp(account: Account): Promise<void> | undefined {
  if (account.work.underWay) return account.work.underWay.then(() => catchUp(account));
  if (!account.clock.scheduler.next(account.clock.now())) return undefined;
  account.work.underWay = runInSlices(() => !account.effects.stopped && runNextEvent(account, account.clock.now()))?.finally(
    () => {
      account.work.underWay = undefined;
    },
  );
  return account.work.underWay;
}

/**
 * Sends the queued effects, then does long work on an account in slices of time. Requests and due events of the account wait, so they see either
 * nothing or all of the work. If the account is replaced or stopped meanwhile, the work ends, and `lockAccount` rejects with AccountConflict.
 */
export async function lockAccount<T>(account: Pick<Account, 'id' | 'work' | 'effects'>, work: Slices<T>): Promise<T> {
  while (account.work.underWay) await account.work.underWay;
  let release = () => {};
  account.work.underWay = new Promise((resolve) => {
    release = resolve;
  });
  try {
    await account.effects.left();
    let step: IteratorResult<void, T | undefined> = { value: undefined };
    await runInSlices(() => {
      mustExist(account);
      step = work.next();
      return !step.done;
    });
    return step.value as T;
  } finally {
    account.work.underWay = undefined;
    release();
  }
}

/** Runs the first event that is due by `now`. Returns false if there is none. */
function runNextEvent(account: Account, now: number): boolean {
  const due = account.clock.scheduler.takeNext(now);
  if (!due) return false;
  // An expiry in the past (gift-card.create.past-expiry) happens when the card is created.
  const at = Math.max(due.at, account.state.card(due.cardId)?.createdAt ?? due.at);
  // An error in a due event is logged as a defect, so that the current request does not fail.
  account.effects.guarded(() => {
    const decision = decideDueEvent(due, account.context(at, 'the clock'));
    if (decision) commit(account, decision, account.journal.cause('clock', due.kind, at, due.cardId));
  });
  return true;
}

/**
 * Checks a decision's cards against the contract, applies its changes, and queues its effects. Returns the changes in short form: the journal gets those
 * of a request together with the response, and all others here.
 */
export function commit(account: Account, { changes, effects }: Decision, cause: Cause): readonly ChangeSummary[] {
  account.renderer.renderChanged(changes);
  const touched = account.apply(changes);
  if (cause.kind !== 'request') account.journal.changed(cause, touched);
  account.effects.queue(effects, cause);
  return touched;
}
