import { type Run, Trial } from '../core/trial.ts';
import { create } from '../scenarios/cards.ts';

/** What it costs: the card, its void, and a look. */
export const canaryCost = { requests: 3, creates: 1, faceValue: 1 } as const;

/**
 * Creates one card and takes it away before any other is created, so that an account where voiding is broken is left with one card and not with
 * hundreds. False where the card could not be proven gone.
 */
export async function canaryGone(run: Run): Promise<boolean> {
  // An answer that is lost is what the sweep looks after.
  await create(new Trial(run), { balance: canaryCost.faceValue }).catch(() => undefined);
  // A ledger that cannot be written says nothing of the card; how the card stands does, and what is left of it the run sweeps and tells in the end.
  await run.ledger.sweep(run.client).catch(() => undefined);
  return run.ledger.entries.every(({ state }) => state === 'gone' || state === 'refused');
}
