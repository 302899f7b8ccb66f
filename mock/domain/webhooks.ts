import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { Context, Outcome } from './outcome.ts';

type NewWebhook = Pick<WebhookRecord, 'url' | 'description' | 'token'>;

/**
 * Registers a webhook (webhook.create.registers). The URL may already have a webhook (webhook.create.same-url-again), or a disabled webhook
 * (webhook.create-again-re-enables, webhook.create.again-while-disabled).
 */
export function registerWebhook(wanted: NewWebhook, context: Context): Outcome<WebhookRecord> | Refusal {
  if (!isAcceptable(new URL(wanted.url), context)) return refuse('webhook.url-not-https', wanted.url);

  const isSameRecord = context.behaviors['webhook.create.again-while-disabled'] === 'same-record';
  const disabled = isSameRecord ? disabledWith(wanted.url, context) : undefined;
  const { id, createdAt } = disabled ?? { id: context.newId(), createdAt: context.now };
  const webhook: WebhookRecord = { id, createdAt, failures: 0, enabled: true, ...wanted };
  return { response: webhook, changes: [{ table: 'webhooks', put: webhook }], effects: [] };
}

/** Accepts http only on loopback addresses and on hosts that the user allows (webhook.create.other-schemes). */
function isAcceptable({ protocol, hostname }: URL, { plainHttpHosts }: Context): boolean {
  return protocol === 'https:' || (protocol === 'http:' && mayBePlain(hostname, plainHttpHosts));
}

function disabledWith(url: string, { state }: Context): WebhookRecord | undefined {
  return [...state.webhooks()].findLast((webhook) => !webhook.enabled && webhook.url === url);
}

/** Lists the account's enabled webhooks (webhook.list.enabled-only, webhook.list.of-account), oldest first (webhook.list.order). */
export function listEnabled({ state }: Context): WebhookRecord[] {
  return [...state.webhooks()].filter((webhook) => webhook.enabled);
}

/** webhook.delete.removes, webhook.delete.unknown-is-404, webhook.delete.disabled */
export function removeWebhook(id: string, { state, behaviors }: Context): Outcome<true> | Refusal {
  const webhook = state.webhook(id);
  const isListed = webhook && (webhook.enabled || behaviors['webhook.delete.disabled'] === 'deleted');
  if (!isListed) return refuse('webhook.not-found', id);
  return { response: true, changes: [{ table: 'webhooks', remove: id }], effects: [] };
}

/** Reports whether a webhook may use http with this host. */
export function mayBePlain(host: string, allowed: readonly string[]): boolean {
  return isLoopbackHost(host) || allowed.includes(host);
}

/** Reports whether a host name or address can only mean this machine. */
export function isLoopbackHost(host: string): boolean {
  // In a URL, an IPv4 address inside an IPv6 address is hexadecimal: [::ffff:7f00:1] is 127.0.0.1.
  if (/^\[?::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|127(?:\.\d{1,3}){3})\]?$/i.test(host)) return true;
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Reports whether a text is a host name or address as in a URL, without scheme and port. */
export function isHost(text: string): boolean {
  return /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/i.test(text) || /^\[[\da-f:.]+\]$/i.test(text);
}
