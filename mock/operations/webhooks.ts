import type { components } from '../../openapi/generated/types.ts';
import { formatTime } from '../domain/dates.ts';
import type { Context } from '../domain/outcome.ts';
import * as webhooks from '../domain/webhooks.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { mapResponse, optionalText, respondWith } from './values.ts';

export function createWebhook({ body }: OperationInput<'createWebhook'>, context: Context) {
  // webhook.create.takes-description; a blank token counts as missing (webhook.create.blank-token).
  const token = optionalText(body.requestHeaderVerificationToken);
  const outcome = webhooks.registerWebhook({ url: body.url, description: body.description ?? null, token }, context);
  return mapResponse(outcome, webhookView);
}

export function listWebhooks(_: OperationInput<'listWebhooks'>, context: Context) {
  return respondWith(webhooks.listEnabled(context).map(webhookView));
}

export function deleteWebhook({ parameters }: OperationInput<'deleteWebhook'>, context: Context) {
  return webhooks.removeWebhook(parameters.id, context);
}

/** webhook.token-in-responses */
function webhookView({ id, url, description, createdAt }: WebhookRecord): components['schemas']['Webhook'] {
  return { id, url, description, createdAtUtc: formatTime(createdAt) };
}
