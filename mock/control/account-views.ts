import type { Account, ApiKey } from '../account.ts';
import type { Cause } from '../effects/cause.ts';
import { time } from '../written.ts';

/** What the dashboard of the real service would show of an account. */

export function describe({ id, settings, keys, goneAt, outbox, deliveries, effects }: Account) {
  const [usable] = keys.filter(({ deleted }) => !deleted);
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
 * How much of this month's allowance is used: cards of the API and of automations issued in the calendar month of the account's time zone
 * (limits.allowance-month, limits.allowance-counts-automation-cards, gift-card.create.counts-toward-allowance), voided ones not
 * (gift-card.void.leaves-allowance, limits.allowance-void-in-later-month).
 */
export function allowanceOf({ settings, state, clock }: Account) {
  const monthAt = monthOf(settings.timeZone);
  const month = monthAt(clock.now());
  let used = 0;
  for (const card of state.cards()) {
    if (card.issuedThrough !== 'dashboard' && card.status !== 'Voided' && monthAt(card.createdAt) === month) used++;
  }
  const size = settings.monthlyAllowance;
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}

/** Says in which calendar month a moment lies there, e.g. 2026-01. */
export function monthOf(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' });
  return (at) => format.format(at);
}
