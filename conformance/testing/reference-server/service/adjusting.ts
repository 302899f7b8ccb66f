import type { StrangeAccount, StrangeCard } from './account.ts';
import { cents, nowhere, refuse } from './asking.ts';
import { shown } from './cards.ts';

/** Books what comes or goes; where it is `checked`, no more goes than there is. */
export function adjust(
  on: StrangeAccount,
  card: StrangeCard | undefined,
  body: Record<string, unknown>,
  checked: boolean,
): unknown {
  if (!card) throw nowhere();
  if (!body.actionedAtUtc || !body.uniqueAdjustmentId) throw refuse('something is missing');
  if (on.used.has(`adjustment ${body.uniqueAdjustmentId}`)) throw refuse('booked before');
  if (card.voucher) throw refuse('vouchers go whole');
  if (card.status === 'Voided') throw refuse('gone', 409);
  if (typeof body.adjustmentAmount !== 'number') throw refuse('an amount, please');
  const amount = cents(body.adjustmentAmount);
  if (Number.isNaN(amount)) throw refuse('how much?', 422);
  if (checked && amount < 0 && card.cents + amount < 0) throw refuse('not that much on it', 422);
  on.used.add(`adjustment ${body.uniqueAdjustmentId}`);
  card.cents += amount;
  card.loaded += Math.max(0, amount);
  card.touched = on.service.tick();
  const recorded = new Date(card.touched).toISOString();
  card.history.unshift({
    cents: amount,
    memo: body.notes ?? null,
    happened: String(body.actionedAtUtc).replace('.000Z', '+00:00'),
    recorded,
  });
  return true;
}

/** What has been booked on a card, the last first, and what it was issued with. */
export const told = (card: StrangeCard, currency: string) => ({
  subject: shown(card, currency),
  bookings: [
    ...card.history.map(({ cents, memo, happened, recorded }) => ({
      value: { number: Math.abs(cents) / 100 },
      kind: cents < 0 ? 'OUT' : 'IN',
      memo,
      when: { happened, recorded },
    })),
    {
      value: { number: Number(card.fields.balance) },
      kind: 'ISSUE',
      memo: null,
      when: { recorded: new Date(card.issued).toISOString() },
    },
  ],
});
