import type { Ask } from '../client.ts';
import type { Trial } from '../trial.ts';

const list: Ask = { method: 'GET', path: '/api/Webhook/List' };

/** An address that no name server knows, so that a delivery to it reaches nobody. The ledger has it before it is asked for. */
export function registration(t: Trial): { ask: Ask; url: string; entry: ReturnType<Trial['run']['ledger']['openWebhook']> } {
  const url = `https://conformance.invalid/${t.run.ledger.fresh()}`;
  const ask: Ask = { method: 'POST', path: '/api/Webhook/Create', body: { url, description: 'Created by a conformance run' } };
  return { ask, url, entry: t.run.ledger.openWebhook(url) };
}

export const listWebhooks = (t: Trial, key?: string) =>
  t.send('list webhooks', { ...list, ...(key === undefined ? {} : { key }) });
