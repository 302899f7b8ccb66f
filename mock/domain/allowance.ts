import type { CardRecord } from '../state/records.ts';

/**
 * How much of a month's allowance is used: cards that the API (gift-card.create.counts-toward-allowance) and automations
 * (limits.allowance-counts-automation-cards) issued in it, without those that were voided since (gift-card.void.leaves-allowance,
 * limits.allowance-void-in-later-month).
 */
export function allowanceUsed(month: string, cards: Iterable<CardRecord>, monthAt: (at: number) => string): number {
  let used = 0;
  for (const card of cards)
    if (card.issuedThrough !== 'dashboard' && card.voidedAt === null && monthAt(card.createdAt) === month) used++;
  return used;
}

/** The calendar month of a time in the account's time zone, e.g. 2026-01 (limits.allowance-month). */
export function allowanceMonthOf(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
  return (at) => format.format(at).slice(0, 7);
}
