import { createHmac } from 'node:crypto';
import type { StrangeAccount, StrangeCard } from './account.ts';
import { cents } from './asking.ts';
import { listening } from './webhooks.ts';

/** Tells every webhook, all at once and none in turn, unless it is to be otherwise. */
export function announce(on: StrangeAccount, card: StrangeCard, topic: string): void {
  const { service } = on;
  const { inTurn, latency } = service.ways;
  for (const hook of listening(on)) {
    const body = message(on, card, topic);
    const signature = createHmac('sha256', String(hook.secret)).update(body).digest('base64');
    const before = inTurn ? service.line : Promise.resolve();
    service.line = before
      .then(() => latency > 0 && new Promise((done) => setTimeout(done, latency)))
      .then(() => send(hook.target, body, hook.secret ? { 'HMAC-Signature-SHA256': signature } : {}))
      .then((isTaken) => {
        hook.failed += isTaken ? 0 : 1;
      });
  }
}

/** Written with blanks, and without what has no value. */
function message({ currency, service }: StrangeAccount, card: StrangeCard, topic: string): string {
  const { recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage, expiresAtUtc } = card.fields;
  const isGift = card.fields.sendAsGift === true;
  const amount = (value: number) => `${currency} ${(value / 100).toFixed(2).replace('.', ',')}`;
  const page = `https://cards.example/${card.id}`;
  const said = {
    WebhookTopic: `giftcard/${topic}`,
    RequestId: crypto.randomUUID().toUpperCase(),
    GiftCardId: String(card.id),
    Code: card.code,
    Status: card.status,
    CreatedAt: new Date(card.issued).toISOString().replace('.000Z', ''),
    InitialValue: Number(card.fields.balance),
    FormattedInitialValue: amount(cents(card.fields.balance)),
    Balance: card.cents / 100,
    FormattedBalance: amount(card.cents),
    TotalIssuedAmount: card.loaded / 100,
    FormattedTotalIssuedAmount: amount(card.loaded),
    Currency: currency,
    ExpiresAtUtc: expiresAtUtc && String(expiresAtUtc).replace('.000Z', ''),
    RecipientName: recipientName,
    RecipientEmailAddress: recipientEmailAddress,
    BuyerName: (isGift ? buyerName : recipientName) ?? null,
    BuyerEmail: (isGift ? buyerEmailAddress : recipientEmailAddress) ?? null,
    GiftCardMessage: giftMessage,
    IsPromotional: card.fields.isPromotional === true,
    IsStoreCredit: false,
    AppleWalletUrl: `${page}/a`,
    GoogleWalletUrl: `${page}/g`,
    PdfUrl: `${page}.pdf`,
    ViewBalanceUrl: page,
    GiftToFriendUrl: `${page}/give`,
    AutomationId: card.fields.rule && String(card.fields.rule),
    ApiEventName: card.fields.event,
    ApiEventProperties: card.fields.said,
  };
  return JSON.stringify(service.ways.says(said), null, 3);
}

async function send(url: string, body: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'text/json; charset=utf-8' },
    });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
