import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { components } from '../../openapi/generated/types.ts';
import { linksOf, statusShown } from '../contract/render/card.ts';
import { formatTime } from '../domain/dates.ts';
import { format, toAmount } from '../domain/money.ts';
import type { Topic } from '../domain/outcome.ts';
import type { CardRecord } from '../state/records.ts';
import type { OutboundAccount } from './outbound-account.ts';

type Payload = components['schemas']['WebhookDelivery'];

/**
 * Returns the JSON of a delivery about a card after the event (delivery.payload.balance-after-event, delivery.payload.status-after-event).
 * Throws if the JSON breaks the contract.
 */
export function payload(topic: Topic, card: CardRecord, requestId: string, account: OutboundAccount): string {
  const { settings, behaviors, contract, services } = account;
  const links = linksOf(card, services.cardPages);
  const amount = (minor: number) => toAmount(minor, card.currency);
  const formatted = (minor: number) => format(minor, card.currency, settings.locale);
  const dateText = (at: number) => dateIn(behaviors['delivery.payload.date-form'], at);
  const [buyerName, buyerEmail] = buyerOf(card, behaviors);
  const body: Payload = {
    RequestId: requestId, // delivery.payload.request-id-new-each-time
    GiftCardId: card.id, // delivery.payload.gift-card-id-finds-card
    Code: card.code, // delivery.payload.code
    CreatedAt: dateText(card.createdAt), // delivery.payload.created-at
    InitialValue: amount(card.initialValue), // delivery.payload.initial-value
    FormattedInitialValue: formatted(card.initialValue),
    Balance: amount(card.balance),
    FormattedBalance: formatted(card.balance),
    TotalIssuedAmount: amount(card.totalIssued),
    FormattedTotalIssuedAmount: formatted(card.totalIssued),
    Currency: card.currency, // delivery.payload.currency
    ExpiresAtUtc: card.expiresAt === null ? null : dateText(card.expiresAt), // delivery.payload.expiry
    RecipientName: card.recipientName, // delivery.payload.recipient
    RecipientEmailAddress: card.recipientEmailAddress,
    // These values are null only with an option of delivery.payload.buyer-unknown. Then the effective contract allows null.
    BuyerName: buyerName as string,
    BuyerEmail: buyerEmail as string,
    GiftCardMessage: card.giftMessage, // delivery.payload.gift-message
    Status: statusShown(card, behaviors),
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
    ...(card.apiEventProperties === null ? noProperties(card, behaviors) : { ApiEventProperties: card.apiEventProperties }),
    WebhookTopic: topic,
  };
  const shown = behaviors['delivery.payload.nulls'] === 'left-out' ? withoutNulls(body) : body;
  return contract.write('WebhookDelivery', shown, `${topic} of card ${card.id}`);
}

/** delivery.payload.api-event-properties, delivery.payload.api-event-properties-left-out */
function noProperties(card: CardRecord, behaviors: Behaviors): Pick<Payload, 'ApiEventProperties'> {
  const isNull = card.apiEventName === null && behaviors['delivery.payload.api-event-properties-left-out'] === 'null';
  return isNull ? { ApiEventProperties: null } : {};
}

const nullByOption: ReadonlySet<string> = new Set(['BuyerName', 'BuyerEmail', 'ApiEventProperties']);

/** Leaves out null values (delivery.payload.nulls), except the nulls that other options require. */
function withoutNulls(body: Payload): Payload {
  const entries = Object.entries(body).filter(([name, value]) => value !== null || nullByOption.has(name));
  return Object.fromEntries(entries) as Payload;
}

/** delivery.payload.date-form */
function dateIn(form: Behaviors['delivery.payload.date-form'], at: number): string {
  const text = formatTime(at);
  if (form === 'seconds-and-z') return text.replace(/\.\d+/, '');
  return form === 'without-zone' ? text.slice(0, -1) : text;
}

/**
 * Returns the buyer of a gifted card (delivery.payload.buyer-of-gifted-card). For another card, returns the recipient (delivery.payload.buyer-falls-back,
 * delivery.payload.buyer-of-card-not-gifted, delivery.payload.buyer-unknown).
 */
function buyerOf(card: CardRecord, behaviors: Behaviors): [name: string | null, email: string | null] {
  const hasGiver = card.sendAsGift || behaviors['delivery.payload.buyer-of-card-not-gifted'] === 'buyer';
  const name = hasGiver ? (card.buyerName ?? card.recipientName) : card.recipientName;
  const email = hasGiver ? (card.buyerEmailAddress ?? card.recipientEmailAddress) : card.recipientEmailAddress;
  const unknown = behaviors['delivery.payload.buyer-unknown'] === 'null' ? null : '';
  return [name ?? unknown, email ?? unknown];
}
