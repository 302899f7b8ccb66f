import { type Run, Trial } from '../core/trial.ts';
import { create } from './cards.ts';

/** The card, its void, and a look-up. */
export const canaryCost = { requests: 3, creates: 1, faceValue: 1 } as const;

/**
 * Creates one card and voids it before the run creates any other, so that a target where voiding is broken is left with one card and not with hundreds.
 * Returns whether the card is proven gone.
 */
export async function isCanaryVoided(run: Run): Promise<boolean> {
  // The sweep finds a card whose answer was lost; a failing ledger does not change the state of the card.
  await create(new Trial(run), { balance: canaryCost.faceValue }).catch(() => undefined);
  await run.ledger.sweep(run.client).catch(() => undefined);
  return run.ledger.entries.every(({ state }) => state === 'gone' || state === 'refused');
}
