import { accepted } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { byCode, shortlyBefore } from './adjustments.ts';
import { balanceOf } from './card-requests.ts';
import type { Card } from './cards.ts';
import { purse } from './shared-cards.ts';

/** Ways of writing a request's body, tried with adjustments of one card, because those cost nothing. */

/** A top-up of 0.25 for the card, as a well-formed body. */
export function topUp(t: Trial, on: Pick<Card, 'code'>): Record<string, unknown> {
  return {
    giftCardCode: on.code,
    adjustmentAmount: 0.25,
    notes: 'conformance',
    actionedAtUtc: shortlyBefore(t),
    uniqueAdjustmentId: t.run.ledger.unique('GCS-A'),
  };
}

export const adjustment = { method: 'POST', path: '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode' } as const;

/** The card that these requests are about; that a well-formed one is taken is the control of all of them. */
export async function adjustable(t: Trial): Promise<Card> {
  return t.control('a well-formed adjustment', () =>
    t.shared('a card whose adjustments are taken', async (shared) => {
      const on = await purse(shared);
      accepted(await byCode(shared, on, 0.25), 'it');
      return on;
    }),
  );
}

type Writing = Pick<Ask, 'body' | 'text' | 'contentType' | 'key' | 'headers'>;

/** Sends an adjustment that is written in a way of its own, and nothing else is looked at. */
export function written(t: Trial, how: string, writing: Writing): Promise<Answer> {
  return t.send(`adjust with ${how}`, { ...adjustment, odd: true, ...writing });
}

/** Sends such an adjustment, and says by how much the balance has moved. */
export async function moved(t: Trial, on: Card, how: string, writing: Writing): Promise<{ answer: Answer; by: number }> {
  const before = await balanceOf(t, on.code);
  const answer = await written(t, how, writing);
  return { answer, by: Math.round((await balanceOf(t, on.code)) * 100 - before * 100) / 100 };
}

/** The history of the card as the answer has it, in which things are found by their value. */
export async function historyOf(t: Trial, on: Card): Promise<unknown> {
  const path = `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${encodeURIComponent(on.code)}`;
  return arranged(await t.send(`history of ${on.name}`, { method: 'GET', path }), 'reading the history').json;
}
