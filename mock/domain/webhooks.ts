import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { WebhookRecord } from '../state/records.ts';
import { mayBePlain } from './hosts.ts';
import type { Context, Outcome } from './outcome.ts';

export interface NewWebhook {
  readonly url: string;
  readonly description: string | null;
  readonly token: string | null;
}

/**
 * Every creation is a registration of its own (webhook.create.registers), also for a URL that has one (webhook.create.same-url-again) or had one
 * that was disabled (webhook.create-again-re-enables, webhook.create.again-while-disabled).
 */
export function create(wanted: NewWebhook, context: Context): Outcome<WebhookRecord> | Refusal {
  if (!isAcceptable(new URL(wanted.url), context)) return refuse('webhook.url-not-https', wanted.url);

  // From here on it succeeds.
  const again =
    context.behaviors['webhook.create.again-while-disabled'] === 'same-record' ? disabledWith(wanted.url, context) : undefined;
  const webhook: WebhookRecord = again
    ? { ...again, failures: 0, enabled: true, ...wanted }
    : { id: context.newId(), createdAt: context.now, failures: 0, enabled: true, ...wanted };
  return { reply: webhook, changes: [{ table: 'webhooks', put: webhook }], effects: [] };
}

/** webhook.create.other-schemes: https, and http only where nothing leaves this machine, or to a host that was allowed by name. */
function isAcceptable({ protocol, hostname }: URL, { plainHttpHosts }: Context): boolean {
  return protocol === 'https:' || (protocol === 'http:' && mayBePlain(hostname, plainHttpHosts));
}

function disabledWith(url: string, { state }: Context): WebhookRecord | undefined {
  return [...state.webhooks()].findLast((webhook) => !webhook.enabled && webhook.url === url);
}

/** The account's enabled webhooks (webhook.list.enabled-only, webhook.list.of-account), the oldest first (webhook.list.order). */
export function list({ state }: Context): WebhookRecord[] {
  return [...state.webhooks()].filter((webhook) => webhook.enabled);
}

/** webhook.delete.removes, webhook.delete.unknown-is-404; a disabled one is gone already (webhook.delete.disabled). */
export function remove(id: string, { state, behaviors }: Context): Outcome<true> | Refusal {
  const webhook = state.webhook(id);
  const isThere = webhook && (webhook.enabled || behaviors['webhook.delete.disabled'] === 'deleted');
  if (!isThere) return refuse('webhook.not-found', id);
  return { reply: true, changes: [{ table: 'webhooks', remove: id }], effects: [] };
}
