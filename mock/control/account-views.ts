import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { ApiKey } from '../account/settings.ts';
import { formatTime, localMonth } from '../domain/dates.ts';
import { allowanceUsed } from '../domain/issue.ts';
import { redactUrls } from '../journal/redaction.ts';
import type { Cause } from '../outbound/cause.ts';
import { authorize } from '../pipeline/authenticate.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { ControlledAccount } from './resources.ts';

export function describe(account: ControlledAccount) {
  const { id, settings, keys, goneAt, outbox, deliveries, effects } = account;
  const usable = keys.find((key) => !authorize({ account, key }));
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

export function standingOf({ id, clock, agenda }: Pick<ControlledAccount, 'id' | 'clock' | 'agenda'>) {
  return { id, nowUtc: formatTime(clock.now()), nextMomentUtc: formatTime(agenda.next()?.at ?? null) };
}

export function keyView({ key, description, deleted, deletedAt }: ApiKey) {
  return { key, description, deleted, deletedAtUtc: formatTime(deletedAt) };
}

function webhookView({ id, url, token, enabled, failures }: WebhookRecord) {
  const lifetimeFailures = { count: failures, of: clauseValues['webhook.disabled-after-failures'] };
  return { id, url: url && redactUrls(url), signed: token !== null, enabled, lifetimeFailures };
}

/** The entry with its cause, but without the ID and the time of the cause. */
export function withoutTime<T extends { readonly cause: Cause }>({ cause: { kind, what }, ...entry }: T) {
  return { ...entry, cause: { kind, what } };
}

/** gift-card.create.timeline-records-origin */
export function timelineOf({ state }: Pick<ControlledAccount, 'state'>, cardId: string) {
  return state.timelineOf(cardId).map(({ at, text }) => ({ atUtc: formatTime(at), text }));
}

/** The allowance of the month that the account's clock shows. */
export function allowanceOf({ settings, state, clock }: Pick<ControlledAccount, 'settings' | 'state' | 'clock'>) {
  const month = localMonth(clock.now(), settings.timeZone);
  const used = allowanceUsed(month, state.cards(), settings.timeZone);
  const size = settings.monthlyAllowance;
  return { month, size, used, overage: size === null ? 0 : Math.max(0, used - size) };
}
