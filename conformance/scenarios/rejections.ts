import { expectSuccess } from '../core/expect.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { adjustmentTime, byCode, history } from './adjustments.ts';
import { type Card, create } from './cards.ts';
import { mutableCard, repeatedCard } from './shared-cards.ts';

/** Requests that a target rejects, or may reject. Most are adjustments of one card, because these cost nothing. */

export const takenCode = (t: Trial): Promise<Answer> =>
  t.shared('create with a taken code', async (shared) => {
    const { code } = await repeatedCard(shared);
    return (await create(shared, { balance: 0.5, code })).answer;
  });

export const withoutActionedAt = (t: Trial): Promise<Answer> =>
  t.shared('adjustment without actionedAtUtc', async (shared) =>
    byCode(shared, await mutableCard(shared), 0.25, { actionedAtUtc: undefined }),
  );

export const adjustment = { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode' } as const;

/** The body of a valid top-up by 0.25. */
export function topUp(t: Trial, on: Pick<Card, 'code'>): Record<string, unknown> {
  return {
    giftCardCode: on.code,
    adjustmentAmount: 0.25,
    notes: 'conformance',
    actionedAtUtc: adjustmentTime(t),
    uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
  };
}

/** The card of these adjustments. A valid adjustment of it is their control. */
export async function adjustableCard(t: Trial): Promise<Card> {
  return t.control('a valid adjustment', () =>
    t.shared('card with a valid adjustment', async (shared) => {
      const on = await mutableCard(shared);
      expectSuccess(await byCode(shared, on, 0.25), 'it');
      return on;
    }),
  );
}

/** Sends an adjustment that differs from the contract on purpose. */
export function oddAdjustment(t: Trial, how: string, ask: Pick<Ask, 'body' | 'text'>): Promise<Answer> {
  return t.send(`adjust with ${how}`, { ...adjustment, odd: true, ...ask });
}

/** The history of the card, in which a test finds things by their value. */
export const historyOf = async (t: Trial, on: Card): Promise<unknown> =>
  mustSucceed(await history(t, on.code), 'reading the history').json;
