import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract/contract.ts';
import { time } from '../domain/calendar.ts';
import type { Context } from '../domain/outcome.ts';
import * as webhooks from '../domain/webhooks.ts';
import { refused } from '../pipeline/refusal.ts';
import type { WebhookRecord } from '../state/records.ts';
import { text } from './values.ts';

type Schemas = components['schemas'];

export function createWebhook(input: Input, context: Context) {
  const body = input.body as Schemas['CreateWebhookRequest'];
  // webhook.create.blank-token: a blank one is none.
  const token = text(body.requestHeaderVerificationToken);
  // webhook.create.takes-description; a URL is missing only where the contract lets it (webhook.create.url-required).
  const outcome = webhooks.create({ url: body.url ?? null, description: body.description ?? null, token }, context);
  if (refused(outcome)) return outcome;
  const reply = shown(outcome.reply);
  return { ...outcome, reply: tellsToken(context) ? { ...reply, requestHeaderVerificationToken: token } : reply };
}

/** webhook.token-in-answers: only here, if at all. */
function tellsToken({ behaviors }: Context): boolean {
  return behaviors['webhook.token-in-answers'] === 'at-creation';
}

export function listWebhooks(_: Input, context: Context) {
  return { reply: webhooks.list(context).map(shown), changes: [], effects: [] };
}

export function deleteWebhook({ parameters }: Input, context: Context) {
  return webhooks.remove(parameters.id as string, context);
}

function shown({ id, url, description, createdAt }: WebhookRecord): Schemas['Webhook'] {
  return { id, url: url as string, description, createdAtUtc: time(createdAt) };
}
