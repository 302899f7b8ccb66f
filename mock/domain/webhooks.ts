import { isLoopback } from '../loopback.ts';
import type { Context, Outcome } from '../outcome.ts';
import type { WebhookRecord } from '../records.ts';
import { type Refusal, refuse } from '../refusal.ts';

export interface NewWebhook {
  readonly url: string;
  readonly description: string | null;
  readonly token: string | null;
}

/**
 * Every creation is a registration of its own (webhook.create.registers), also for a URL that has one (webhook.create.same-url-again) or had one
 * that was disabled (webhook.create-again-re-enables, webhook.create.again-while-disabled). The receiver is not called (webhook.create.url-checked).
 */
export function create(wanted: NewWebhook, context: Context): Outcome<WebhookRecord> | Refusal {
  const url = new URL(wanted.url);
  // webhook.create.other-schemes: https, and http only where nothing leaves this machine.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return refuse('webhook.url-not-https', wanted.url);

  // From here on it succeeds.
  const webhook: WebhookRecord = { id: context.newId(), createdAt: context.now, failures: 0, enabled: true, ...wanted };
  return { reply: webhook, changes: [{ table: 'webhooks', put: webhook }], effects: [] };
}

/** The account's enabled webhooks (webhook.list.enabled-only, webhook.list.of-account), the oldest first (webhook.list.order). */
export function list({ state }: Context): WebhookRecord[] {
  return [...state.webhooks()].filter((webhook) => webhook.enabled);
}

/** webhook.delete.removes, webhook.delete.unknown-is-404; a disabled one is gone already (webhook.delete.disabled). */
export function remove(id: string, { state }: Context): Outcome<true> | Refusal {
  if (!state.webhook(id)?.enabled) return refuse('webhook.not-found', id);
  return { reply: true, changes: [{ table: 'webhooks', remove: id }], effects: [] };
}
