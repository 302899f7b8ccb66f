import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import type { ApiKey } from '../account/settings.ts';
import { formatTime, localMonth } from '../domain/dates.ts';
import { allowanceUsed } from '../domain/issue.ts';
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
  return {
    id,
    apiKey: usable?.key ?? null,
    keys: keys.map(keyView),
    ...settings,
    webhooks,
    goneAtUtc: formatTime(goneAt),
    dropped,
  };
}

/** Where it stands, which is all that has changed for somebody who knows it. */
export function standingOf({ id, clock, agenda }: Account) {
  return { id, nowUtc: formatTime(clock.now()), nextMomentUtc: formatTime(agenda.next()?.at ?? null) };
}

export function keyView({ key, description, deleted, deletedAt }: ApiKey) {
  return { key, description, deleted, deletedAtUtc: formatTime(deletedAt) };
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
  return state.timelineOf(cardId).map(({ at, text }) => ({ atUtc: formatTime(at), text }));
}

/** How much of the current month's allowance is used. */
export function allowanceOf({ settings, state, clock }: Account) {
  const month = localMonth(clock.now(), settings.timeZone);
  const used = allowanceUsed(month, state.cards(), settings.timeZone);
  const size = settings.monthlyAllowance;
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}
