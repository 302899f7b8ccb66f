import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from '../core/trial.ts';
import { type Card, card, sentFields } from './cards.ts';

export interface Sent {
  address: string;
  older: Card;
  younger: Card;
}

/** Two cards that were sent to one recipient, who lives at example.com: all questions about addresses look at them. */
export function sentCards(t: Trial): Promise<Sent> {
  return t.shared('two cards sent to one recipient', async (shared) => {
    const address = `${shared.run.ledger.fresh('gcs').toLowerCase()}+conformance@example.com`;
    const older = await card(shared, { ...sentFields, recipientEmailAddress: address });
    await pause(20);
    const younger = await card(shared, { ...sentFields, recipientEmailAddress: address });
    return { address, older, younger };
  });
}
