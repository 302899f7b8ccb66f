import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Account, ApiKey } from '../account/account.ts';
import { allowanceMonthOf, allowanceUsed } from '../domain/allowance.ts';
import { time } from '../domain/calendar.ts';
import { redactUrls } from '../journal/redaction.ts';
import type { Cause } from '../outbound/cause.ts';
import { authorize } from '../pipeline/authenticate.ts';
import type { WebhookRecord } from '../state/records.ts';

/** What the dashboard of the real service would show of an account. */

export function describe(account: Account) {
  const { id, settings, keys, goneAt, outbox, deliveries, effects } = account;
  const usable = keys.find((key) => !authorize({ account, key }));
  // Of what was kept and is not any more, since memory has an end.
  const dropped = { outbox: outbox.dropped, deliveries: deliveries.dropped, suppressed: effects.suppressed.dropped };
  const webhooks = Array.from(account.state.webhooks(), webhookView);
  return { id, apiKey: usable?.key ?? null, keys: keys.map(keyView), ...settings, webhooks, goneAtUtc: time(goneAt), dropped };
}

/** Where it stands, which is all that has changed for somebody who knows it. */
export function standingOf({ id, clock, agenda }: Account) {
  return { id, nowUtc: time(clock.now()), nextMomentUtc: time(agenda.next()?.at ?? null) };
}

export function keyView({ key, description, deleted, deletedAt }: ApiKey) {
  return { key, description, deleted, deletedAtUtc: time(deletedAt) };
}

function webhookView({ id, url, token, enabled, failures }: WebhookRecord) {
  const lifetimeFailures = { count: failures, of: clauseValues['webhook.disabled-after-failures'] };
  return { id, url: url && redactUrls(url), signed: token !== null, enabled, lifetimeFailures };
}

/** The same with a cause that says what, and leaves when to the entry's own time. */
export function withoutMoment<T extends { readonly cause: Cause }>({ cause: { kind, what }, ...entry }: T) {
  return { ...entry, cause: { kind, what } };
}

/** gift-card.create.timeline-records-origin */
export function timelineOf({ state }: Account, cardId: string) {
  return state.timelineOf(cardId).map(({ at, text }) => ({ atUtc: time(at), text }));
}

/** What the present month's allowance comes to, as mock/domain/allowance.ts has it. */
export function allowanceOf({ settings, state, clock }: Account) {
  const monthAt = allowanceMonthOf(settings.timeZone);
  const month = monthAt(clock.now());
  const used = allowanceUsed(month, state.cards(), monthAt);
  const size = settings.monthlyAllowance;
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}
