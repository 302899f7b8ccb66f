import type { components } from '../../openapi/generated/types.ts';
import type { Contract } from '../contract.ts';
import { format, toAmount } from '../money.ts';
import type { Topic } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { linksOf, time } from '../written.ts';

type Payload = components['schemas']['WebhookDelivery'];

/**
 * The text of one delivery: compact JSON (delivery.json-text) of the card as it was when the event happened (delivery.values-as-of,
 * delivery.payload.balance-after-event, delivery.payload.status-after-event). Throws, as a defect of ours, when it would break the contract.
 */
export function payload(topic: Topic, card: CardRecord, requestId: string, locale: string, contract: Contract): string {
  const links = linksOf(card);
  const amount = (minor: number) => toAmount(minor, card.currency);
  const formatted = (minor: number) => format(minor, card.currency, locale); // delivery.payload.formatted-form
  const [buyerName, buyerEmail] = buyerOf(card);
  const body: Payload = {
    RequestId: requestId, // delivery.payload.request-id-new-each-time
    GiftCardId: card.id, // delivery.payload.gift-card-id-finds-card
    Code: card.code, // delivery.payload.code
    CreatedAt: time(card.createdAt), // delivery.payload.created-at, delivery.payload.date-form
    InitialValue: amount(card.initialValue), // delivery.payload.initial-value
    FormattedInitialValue: formatted(card.initialValue),
    Balance: amount(card.balance),
    FormattedBalance: formatted(card.balance),
    TotalIssuedAmount: amount(card.totalIssued),
    FormattedTotalIssuedAmount: formatted(card.totalIssued),
    Currency: card.currency, // delivery.payload.currency
    ExpiresAtUtc: time(card.expiresAt), // delivery.payload.expiry
    RecipientName: card.recipientName, // delivery.payload.recipient
    RecipientEmailAddress: card.recipientEmailAddress,
    BuyerName: buyerName,
    BuyerEmail: buyerEmail,
    GiftCardMessage: card.giftMessage, // delivery.payload.gift-message
    Status: card.status,
    IsPromotional: card.isPromotional, // delivery.payload.promotional
    IsStoreCredit: card.kind === 'store-credit', // delivery.payload.store-credit
    AppleWalletUrl: links.appleWallet,
    GoogleWalletUrl: links.googleWallet,
    PdfUrl: links.pdf,
    ViewBalanceUrl: links.viewBalance,
    GiftToFriendUrl: card.kind === 'store-credit' ? null : links.giftToFriend, // delivery.payload.gift-to-friend-link
    GiftCardBatchId: card.batchId, // delivery.payload.batch
    AutomationId: card.automationId, // delivery.payload.automation
    CampaignId: card.campaignId, // delivery.payload.campaign
    ApiEventName: card.apiEventName, // delivery.payload.api-event-name
    // The properties of that event (delivery.payload.api-event-properties), left out when there are none
    // (delivery.payload.api-event-properties-left-out); everything else without a value is null (delivery.payload.nulls).
    ...(card.apiEventProperties === null ? {} : { ApiEventProperties: card.apiEventProperties }),
    WebhookTopic: topic,
  };
  return contract.write('WebhookDelivery', body, `${topic} of card ${card.id}`);
}

/**
 * The buyer of a card that was given (delivery.payload.buyer-of-gifted-card); the recipient of any other (delivery.payload.buyer-falls-back,
 * delivery.payload.buyer-of-card-not-gifted); nobody known is an empty text (delivery.payload.buyer-unknown).
 */
function buyerOf(card: CardRecord): [name: string, email: string] {
  const name = card.sendAsGift ? (card.buyerName ?? card.recipientName) : card.recipientName;
  const email = card.sendAsGift ? (card.buyerEmailAddress ?? card.recipientEmailAddress) : card.recipientEmailAddress;
  return [name ?? '', email ?? ''];
}
