import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract.ts';
import * as webhooks from '../domain/webhooks.ts';
import type { Context } from '../outcome.ts';
import type { WebhookRecord } from '../records.ts';
import { refused } from '../refusal.ts';
import { time } from '../written.ts';
import { text } from './values.ts';

type Schemas = components['schemas'];

export function createWebhook(input: Input, context: Context) {
  const body = input.body as Schemas['CreateWebhookRequest'];
  // webhook.create.blank-token: a blank one is none.
  const token = text(body.requestHeaderVerificationToken);
  const outcome = webhooks.create({ url: body.url, description: body.description ?? null, token }, context); // webhook.create.takes-description
  return refused(outcome) ? outcome : { ...outcome, reply: shown(outcome.reply) };
}

export function listWebhooks(_: Input, context: Context) {
  return { reply: webhooks.list(context).map(shown), changes: [], effects: [] };
}

export function deleteWebhook({ parameters }: Input, context: Context) {
  return webhooks.remove(parameters.id as string, context);
}

/** The token is never answered (webhook.token-in-answers). */
function shown({ id, url, description, createdAt }: WebhookRecord): Schemas['Webhook'] {
  return { id, url, description, createdAtUtc: time(createdAt) };
}
