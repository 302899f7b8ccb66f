import type { StrangeAccount } from './account.ts';
import { announce } from './deliveries.ts';
import { HOUR } from './state.ts';

/** What has come about by itself. */
export function settle(on: StrangeAccount): void {
  const { ticks, ways } = on.service;
  for (const card of on.cards) {
    if (card.status !== 'Voided' && card.opens !== undefined && deliveryOf(card.opens, ways.giftsEvery) < ticks) {
      card.status = 'Active';
      delete card.opens;
      announce(on, card, 'gifted');
    }
    if (card.status === 'Active' && Date.parse(String(card.fields.expiresAtUtc)) < ticks) {
      card.status = 'Expired';
      announce(on, card, 'expired');
    }
  }
}

const deliveryOf = (moment: number, giftsEvery: number) =>
  giftsEvery === 0 ? moment : Math.ceil(moment / (giftsEvery * HOUR)) * giftsEvery * HOUR;
