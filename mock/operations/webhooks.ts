import type { components } from '../../openapi/generated/types.ts';
import { formatTime } from '../domain/dates.ts';
import type { Context } from '../domain/outcome.ts';
import * as webhooks from '../domain/webhooks.ts';
import { refused } from '../pipeline/refusal.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { text } from './values.ts';

export function createWebhook({ body }: OperationInput<'createWebhook'>, context: Context) {
  // webhook.create.takes-description; a blank token counts as none (webhook.create.blank-token).
  const token = text(body.requestHeaderVerificationToken);
  const outcome = webhooks.create({ url: body.url, description: body.description ?? null, token }, context);
  return refused(outcome) ? outcome : { ...outcome, reply: shown(outcome.reply) };
}

export function listWebhooks(_: OperationInput<'listWebhooks'>, context: Context) {
  return { reply: webhooks.list(context).map(shown), changes: [], effects: [] };
}

export function deleteWebhook({ parameters }: OperationInput<'deleteWebhook'>, context: Context) {
  return webhooks.remove(parameters.id, context);
}

/** webhook.token-in-answers */
function shown({ id, url, description, createdAt }: WebhookRecord): components['schemas']['Webhook'] {
  return { id, url, description, createdAtUtc: formatTime(createdAt) };
}
