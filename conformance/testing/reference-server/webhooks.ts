import { createHmac } from 'node:crypto';
import type { ServerAccount, ServerDelivery, ServerEvent, ServerPayload, ShortTopic } from './faults/hooks.ts';
import type { AccountRecords, ServerCard } from './records.ts';
import { notFound, ServerRefusal } from './wire.ts';

const maxFailures = 6;
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

export const enabledWebhooks = ({ webhooks }: AccountRecords) => webhooks.filter(({ failures }) => failures < maxFailures);

export function handleCreateWebhook(account: ServerAccount, body: Record<string, unknown>): unknown {
  const { idOf, createdWebhook, webhookCheck } = account.service.options;
  if (!body.url) throw new ServerRefusal(422, 'where to?');
  const { url, description, requestHeaderVerificationToken: token } = body;
  const webhook = { id: idOf(account.service.nextSerial()), url: String(url), description, token, failures: 0 };
  account.webhooks.push(webhook);
  void fetch(webhook.url, webhookCheck).catch(() => undefined);
  return createdWebhook(webhook);
}

export const handleListWebhooks = (account: ServerAccount): unknown => ({
  hooks: enabledWebhooks(account).map(account.service.options.listedWebhook),
});

export function handleDeleteWebhook(account: ServerAccount, id: string | undefined): null {
  const webhook = enabledWebhooks(account).find((each) => String(each.id) === id);
  if (!webhook) throw notFound();
  account.webhooks.splice(account.webhooks.indexOf(webhook), 1);
  return null;
}

/** Queues a delivery of the event for each enabled webhook of the account. */
export function deliver(account: ServerAccount, card: ServerCard, topic: ShortTopic): void {
  const { event = (event, next) => next(event) } = account.service.hooks;
  event({ account, card, topic }, queueDeliveries);
}

function queueDeliveries(event: ServerEvent): void {
  const { service } = event.account;
  const { payload: change = (given) => given, delivery: deliverHook = (delivery, next) => next(delivery) } = service.hooks;
  for (const webhook of enabledWebhooks(event.account)) {
    const body = JSON.stringify(change(payloadOf(event), event), null, 3);
    const headers = webhook.token ? { [signatureHeaderName]: signBody(body, String(webhook.token)) } : {};
    const delivery: ServerDelivery = { ...event, webhook, method: 'POST', body, headers };
    service.addDelivery(webhook, async () => {
      if (!isAccepted(await deliverHook(delivery, (each) => postDelivery(each)))) webhook.failures += 1;
    });
  }
}

export const signatureHeaderName = 'HMAC-Signature-SHA256';
export const signBody = (body: string, token: string): string => createHmac('sha256', token).update(body).digest('base64');

function payloadOf({ account: { currency }, card, topic }: ServerEvent): ServerPayload {
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
    IsStoreCredit: fields.isStoreCredit === true,
    AppleWalletUrl: `${page}/a`,
    GoogleWalletUrl: `${page}/g`,
    PdfUrl: `${page}.pdf`,
    ViewBalanceUrl: page,
    GiftToFriendUrl: fields.isStoreCredit === true ? null : `${page}/give`,
    GiftCardBatchId: fields.batch,
    CampaignId: fields.campaign,
    AutomationId: fields.automation === undefined ? undefined : String(fields.automation),
    ApiEventName: fields.event,
    ApiEventProperties: fields.eventProperties,
  };
}

/** Sends a delivery once. Resolves with the status of the response, or with 0. */
export async function postDelivery(
  { webhook, method, body, headers: own }: ServerDelivery,
  more: RequestInit = {},
): Promise<number> {
  try {
    const headers = { ...own, 'content-type': 'text/json; charset=utf-8' };
    const response = await fetch(webhook.url, { method, body, headers, ...more });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}
