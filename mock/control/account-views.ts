import type { Readings } from '../../openapi/generated/clauses.ts';
import type { Account, ApiKey } from '../account.ts';
import { refusedTo } from '../admit.ts';
import type { Cause } from '../effects/cause.ts';
import type { CardRecord } from '../records.ts';
import type { Settings } from '../settings.ts';
import { time } from '../time.ts';
import type { View } from '../view.ts';

/** What the dashboard of the real service would show of an account. */

export function describe(account: Account) {
  const { id, settings, keys, goneAt, outbox, deliveries, effects } = account;
  const usable = keys.find((key) => !refusedTo({ account, key }));
  // Of what was kept and is not any more, since memory has an end.
  const dropped = { outbox: outbox.dropped, deliveries: deliveries.dropped, suppressed: effects.suppressedDropped };
  return { id, apiKey: usable?.key ?? null, keys: keys.map(keyView), ...settings, goneAtUtc: time(goneAt), dropped };
}

export function keyView({ key, description, deleted, deletedAt }: ApiKey) {
  return { key, description, deleted, deletedAtUtc: time(deletedAt) };
}

/** The same with a cause that says what, and leaves when to the entry's own time. */
export function withoutMoment<T extends { readonly cause: Cause }>({ cause: { kind, what }, ...entry }: T) {
  return { ...entry, cause: { kind, what } };
}

/** gift-card.create.timeline-records-origin */
export function timelineOf({ state }: Account, cardId: string) {
  return state.timelineOf(cardId).map(({ at, text }) => ({ atUtc: time(at), text }));
}

/**
 * How much of this month's allowance is used: cards of the API (gift-card.create.counts-toward-allowance) and of automations
 * (limits.allowance-counts-automation-cards) issued in it, voided ones not (gift-card.void.leaves-allowance).
 */
export function allowanceOf({ settings, state, clock, readings }: Account) {
  const monthAt = monthOf(settings, readings);
  const month = monthAt(clock.now());
  let used = 0;
  for (const card of state.cards()) {
    if (card.issuedThrough === 'dashboard') continue;
    if (card.issuedThrough === 'automation' && readings['limits.allowance-counts-automation-cards'] === 'no') continue;
    const issued = monthAt(card.createdAt);
    const voided = card.status === 'Voided' ? monthAt(voidedAt(card, state)) : null;
    if (issued === month) used++;
    if (voided !== null && relieved(issued, voided, readings) === month) used--;
  }
  const size = settings.monthlyAllowance;
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}

/** limits.allowance-void-in-later-month: the month that a void relieves. */
function relieved(issued: string, voided: string, readings: Readings): string | null {
  if (issued === voided) return issued;
  switch (readings['limits.allowance-void-in-later-month']) {
    case 'month-of-issue':
      return issued;
    case 'month-of-void':
      return voided;
    case 'none':
      return null;
  }
}

/** The timeline has it; what was voided before there was one, was voided when it was last changed. */
function voidedAt(card: CardRecord, state: View): number {
  return state.timelineOf(card.id).findLast(({ text }) => text.startsWith('Voided'))?.at ?? card.updatedAt;
}

/** On this day the months of a billing period begin, in the account's time zone: somebody's booking has to have been on one. */
const BILLING_DAY = 15;

/** Says in which month of the allowance a moment lies, by the month in which that begins, e.g. 2026-01 (limits.allowance-month). */
export function monthOf({ timeZone }: Settings, readings: Readings): (at: number) => string {
  const reading = readings['limits.allowance-month'];
  const zone = reading === 'calendar-in-utc' ? 'UTC' : timeZone;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => {
    const [year, month, day] = format.format(at).split('-').map(Number) as [number, number, number];
    const isBefore = reading === 'billing-period' && day < BILLING_DAY;
    return new Date(Date.UTC(year, month - (isBefore ? 2 : 1))).toISOString().slice(0, 7);
  };
}
