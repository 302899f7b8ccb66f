import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Settings } from '../account/settings.ts';
import type { CardRecord } from '../state/records.ts';

/**
 * How much of a month's allowance is used: cards of the API (gift-card.create.counts-toward-allowance) and of automations
 * (limits.allowance-counts-automation-cards) issued in it, voided ones not (gift-card.void.leaves-allowance). Never less than nothing, however
 * many cards of other months a void took off it.
 */
export function allowanceUsed(
  month: string,
  cards: Iterable<CardRecord>,
  monthAt: (at: number) => string,
  behaviors: Behaviors,
): number {
  let used = 0;
  for (const card of cards) {
    if (card.issuedThrough === 'dashboard') continue;
    if (card.issuedThrough === 'automation' && behaviors['limits.allowance-counts-automation-cards'] === 'no') continue;
    const issued = monthAt(card.createdAt);
    if (issued === month) used++;
    if (card.voidedAt !== null && relieved(issued, monthAt(card.voidedAt), behaviors) === month) used--;
  }
  return Math.max(0, used);
}

/** limits.allowance-void-in-later-month: the month that a void relieves. */
function relieved(issued: string, voided: string, behaviors: Behaviors): string | null {
  if (issued === voided) return issued;
  switch (behaviors['limits.allowance-void-in-later-month']) {
    case 'month-of-issue':
      return issued;
    case 'month-of-void':
      return voided;
    case 'none':
      return null;
  }
}

/** On this day the months of a billing period begin, in the account's time zone: somebody's booking has to have been on one. */
const BILLING_DAY = 15;

/** Says in which month of the allowance a moment lies, by the month in which that begins, e.g. 2026-01 (limits.allowance-month). */
export function allowanceMonthOf({ timeZone }: Settings, behaviors: Behaviors): (at: number) => string {
  const reading = behaviors['limits.allowance-month'];
  const zone = reading === 'calendar-in-utc' ? 'UTC' : timeZone;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => {
    const [year, month, day] = format.format(at).split('-').map(Number) as [number, number, number];
    const isBefore = reading === 'billing-period' && day < BILLING_DAY;
    return new Date(Date.UTC(year, month - (isBefore ? 2 : 1))).toISOString().slice(0, 7);
  };
}
