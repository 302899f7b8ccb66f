import type { AccountRecords } from './records.ts';
import { notFound, Refusal } from './refusal.ts';
import type { Account } from './service.ts';
import { refuseIf } from './wire.ts';

const maxFailures = 6;

export const enabledWebhooks = ({ webhooks }: AccountRecords) => webhooks.filter(({ failures }) => failures < maxFailures);

export function createWebhook(account: Account, body: Record<string, unknown>): unknown {
  const { idOf, createdWebhook, refuses, webhookCheck } = account.service.options;
  if (!body.url) throw new Refusal(422, 'where to?');
  refuseIf(refuses({ operation: 'register webhook', body, account }));
  const { url, description, requestHeaderVerificationToken: token } = body;
  const webhook = { id: idOf(account.service.nextSerial()), url: String(url), description, token, failures: 0 };
  account.webhooks.push(webhook);
  void fetch(webhook.url, webhookCheck).catch(() => undefined);
  return createdWebhook(webhook);
}

export const listWebhooks = (account: Account): unknown => ({
  hooks: enabledWebhooks(account).map(account.service.options.listedWebhook),
});

export function deleteWebhook(account: Account, id: string | undefined): null {
  const webhook = enabledWebhooks(account).find((each) => String(each.id) === id);
  if (!webhook) throw notFound();
  account.webhooks.splice(account.webhooks.indexOf(webhook), 1);
  return null;
}
