import { createHmac } from 'node:crypto';
import type { AccountRecords, Card } from './records.ts';
import type { Account, Service } from './service.ts';
import { notFound, Refusal, rejected } from './wire.ts';

const maxFailures = 6;

export const enabledWebhooks = ({ webhooks }: AccountRecords) => webhooks.filter(({ failures }) => failures < maxFailures);

export function createWebhook(account: Account, body: Record<string, unknown>): unknown {
  const { idOf, createdWebhook, isRefused, webhookCheck } = account.service.options;
  if (!body.url) throw new Refusal(422, 'where to?');
  if (isRefused({ operation: 'register webhook', body, account })) throw rejected('not here');
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

type Topic = 'updated' | 'gifted' | 'voided' | 'expired';

export function deliver(account: Account, card: Card, topic: Topic): void {
  const { service } = account;
  if (topic === 'expired' && service.has('delivers no expiry')) return;
  for (const webhook of enabledWebhooks(account)) {
    const body = JSON.stringify(service.options.delivers(payloadOf(service, card, topic)), null, 3);
    const signature = createHmac('sha256', String(webhook.token)).update(body).digest('base64');
    const headers: Record<string, string> = webhook.token ? { 'HMAC-Signature-SHA256': signature } : {};
    service.addDelivery(webhook, async () => {
      if (!(await send(webhook.url, body, headers))) webhook.failures += 1;
    });
  }
}

function payloadOf({ options: { currency } }: Service, card: Card, topic: Topic): Record<string, unknown> {
  const { fields } = card;
  const isGift = fields.sendAsGift === true;
  const formatted = (value: number) => `${currency} ${value.toFixed(2).replace('.', ',')}`;
  const shortTime = (time: number) => new Date(time).toISOString().replace('.000Z', '');
  const page = `https://cards.example/${card.id}`;
  const initial = Number(fields.balance);
  return {
    WebhookTopic: `giftcard/${topic}`,
    RequestId: crypto.randomUUID().toUpperCase(),
    GiftCardId: String(card.id),
    Code: card.code,
    Status: card.status,
    CreatedAt: shortTime(card.issuedAt),
    InitialValue: initial,
    FormattedInitialValue: formatted(initial),
    Balance: card.balance,
    FormattedBalance: formatted(card.balance),
    TotalIssuedAmount: card.loaded,
    FormattedTotalIssuedAmount: formatted(card.loaded),
    Currency: currency,
    ExpiresAtUtc: card.expiresAt === undefined ? undefined : shortTime(card.expiresAt),
    RecipientName: fields.recipientName,
    RecipientEmailAddress: fields.recipientEmailAddress,
    BuyerName: (isGift ? fields.buyerName : fields.recipientName) ?? null,
    BuyerEmail: (isGift ? fields.buyerEmailAddress : fields.recipientEmailAddress) ?? null,
    GiftCardMessage: fields.giftMessage,
    IsPromotional: fields.isPromotional === true,
    IsStoreCredit: false,
    AppleWalletUrl: `${page}/a`,
    GoogleWalletUrl: `${page}/g`,
    PdfUrl: `${page}.pdf`,
    ViewBalanceUrl: page,
    GiftToFriendUrl: `${page}/give`,
    AutomationId: fields.automation === undefined ? undefined : String(fields.automation),
    ApiEventName: fields.event,
    ApiEventProperties: fields.eventProperties,
  };
}

async function send(url: string, body: string, signature: Record<string, string>): Promise<boolean> {
  try {
    const headers = { ...signature, 'content-type': 'text/json; charset=utf-8' };
    const response = await fetch(url, { method: 'POST', body, headers });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
