import { type Mutant, mutant } from './mutant.ts';

const payload = 'mock/outbound/payload.ts';
const deliveries = 'mock/outbound/deliveries.ts';
const cards = 'mock/domain/gift-cards.ts';
const adjustments = 'mock/domain/adjustments.ts';

/** The last word on a delivery's text, where the mock's own contract is not asked any more. */
const written: [file: string, find: string] = [payload, '? JSON.stringify(JSON.parse(text), null, 2) : text;'];

export const payloadMutants: readonly Mutant[] = [
  mutant('delivery.payload.has-every-property', ...written, `? '' : text.replace(/"PdfUrl":"[^"]*",/, '');`),
  mutant('delivery.payload.pascal-case-names', ...written, `? '' : text.replace('"ViewBalanceUrl"', '"viewBalanceUrl"');`),
  mutant('delivery.payload.pascal-case-names', ...written, `? '' : text.replace('{', '{"extra_field":1,');`),
  mutant('delivery.payload.pascal-case-names', ...written, `? '' : text.replace('"PdfUrl"', '"PDFUrl"');`),
  mutant('delivery.payload.request-id-is-guid', ...written, `? '' : text.replace('"RequestId":"', '"RequestId":"req_');`),
  mutant(
    'delivery.payload.request-id-new-each-time',
    deliveries,
    'const requestId = chance.guid();',
    'const requestId = formed[0]?.requestId ?? chance.guid();',
  ),
  mutant('delivery.payload.request-id-new-each-time', payload, 'RequestId: requestId,', 'RequestId: card.id,'),
  mutant(
    'delivery.payload.gift-card-id-finds-card',
    payload,
    "GiftCardId: String(shownId(card.id, behaviors['gift-card.response.id-form'])),",
    'GiftCardId: card.code,',
  ),
  mutant(
    'delivery.payload.gift-card-id-finds-card',
    ...written,
    `? '' : text.replace(/"GiftCardId":"[^"]*"/, '"GiftCardId":7');`,
  ),
  mutant('delivery.payload.code', payload, 'Code: card.code,', 'Code: card.code.toLowerCase(),'),
  mutant('delivery.payload.created-at', payload, 'moment(card.createdAt)', 'moment(card.updatedAt)'),
  mutant(
    'delivery.payload.initial-value',
    payload,
    'InitialValue: amount(card.initialValue),',
    'InitialValue: amount(card.totalIssued),',
  ),
  mutant(
    'delivery.payload.initial-value',
    payload,
    'InitialValue: amount(card.initialValue),',
    "InitialValue: amount(topic === 'giftcard/voided' && card.recipientName === null ? 0 : card.initialValue),",
  ),
  mutant(
    'delivery.payload.balance-after-event',
    payload,
    'Balance: amount(card.balance),',
    "Balance: amount(topic === 'giftcard/updated' ? 0 : card.balance),",
  ),
  mutant(
    'delivery.payload.status-after-event',
    payload,
    'Status: statusShown(card, behaviors),',
    "Status: topic === 'giftcard/updated' ? 'Scheduled' : statusShown(card, behaviors),",
  ),
  mutant(
    'delivery.payload.balance-after-event',
    cards,
    "topic: 'giftcard/voided', card: voided }",
    "topic: 'giftcard/voided', card: { ...voided, balance: card.balance } }",
  ),
  mutant(
    'delivery.payload.total-issued-counts-top-ups',
    payload,
    'TotalIssuedAmount: amount(card.totalIssued),',
    'TotalIssuedAmount: amount(card.initialValue),',
  ),
  mutant(
    'delivery.payload.total-issued-counts-top-ups',
    adjustments,
    'loaded: Minor = Math.max(wanted.amount ?? 0, 0),',
    'loaded: Minor = wanted.amount ?? 0,',
  ),
  mutant(
    'delivery.payload.formatted-amounts',
    payload,
    'FormattedBalance: formatted(card.balance),',
    'FormattedBalance: formatted(card.initialValue),',
  ),
  mutant(
    'delivery.payload.formatted-amounts',
    payload,
    ': format(minor, card.currency, settings.locale);',
    ': String(toAmount(minor, card.currency));',
  ),
  mutant('delivery.payload.currency', payload, 'Currency: card.currency,', "Currency: 'EUR',"),
  mutant('delivery.payload.expiry', payload, 'moment(card.expiresAt)', 'moment(card.createdAt)'),
  mutant('delivery.payload.expiry', ...written, `? '' : text.replace('"ExpiresAtUtc":null', '"ExpiresAtUtc":""');`),
  mutant(
    'delivery.payload.recipient',
    payload,
    'RecipientName: card.recipientName,',
    'RecipientName: card.buyerName ?? card.recipientName,',
  ),
  mutant(
    'delivery.payload.recipient',
    payload,
    'RecipientEmailAddress: card.recipientEmailAddress,',
    "RecipientEmailAddress: card.recipientEmailAddress ?? 'nobody@example.com',",
  ),
  mutant('delivery.payload.buyer-of-gifted-card', payload, 'const hasGiver = card.sendAsGift ||', 'const hasGiver ='),
  mutant(
    'delivery.payload.buyer-falls-back',
    payload,
    '(card.buyerName ?? card.recipientName) : card.recipientName;',
    '(card.buyerName ?? card.recipientName) : null;',
  ),
  mutant('delivery.payload.gift-message', payload, 'GiftCardMessage: card.giftMessage,', 'GiftCardMessage: card.notes,'),
  mutant('delivery.payload.status-after-event', payload, 'Status: statusShown(card, behaviors),', "Status: 'Active',"),
  mutant(
    'delivery.payload.promotional',
    payload,
    'IsPromotional: card.isPromotional,',
    'IsPromotional: card.automationId !== null,',
  ),
  mutant('delivery.payload.promotional', payload, 'IsPromotional: card.isPromotional,', 'IsPromotional: true,'),
  mutant(
    'delivery.payload.store-credit',
    payload,
    "IsStoreCredit: card.kind === 'store-credit',",
    "IsStoreCredit: card.kind !== 'voucher',",
  ),
  mutant('delivery.payload.links', ...written, `? '' : text.replace(/"PdfUrl":"https?:\\/\\/[^/]*/, '"PdfUrl":"');`),
  mutant('delivery.payload.gift-to-friend-link', payload, "card.kind === 'store-credit' ? null : links.giftToFriend", 'null'),
  mutant('delivery.payload.batch', payload, 'GiftCardBatchId: card.batchId,', 'GiftCardBatchId: card.id,'),
  mutant('delivery.payload.campaign', payload, 'CampaignId: card.campaignId,', 'CampaignId: card.id,'),
  mutant('delivery.payload.topic', ...written, `? '' : text.replace('giftcard/gifted', 'giftcard.gifted');`),
  mutant(
    'delivery.payload.currency',
    payload,
    'Currency: card.currency,',
    "Currency: topic === 'giftcard/updated' ? 'EUR' : card.currency,",
  ),
  mutant(
    'delivery.payload.total-issued-counts-top-ups',
    payload,
    'TotalIssuedAmount: amount(card.totalIssued),',
    "TotalIssuedAmount: amount(topic === 'giftcard/updated' ? 0 : card.totalIssued),",
  ),
  mutant(
    'delivery.payload.formatted-amounts',
    payload,
    'FormattedBalance: formatted(card.balance),',
    "FormattedBalance: formatted(topic === 'giftcard/updated' ? 0 : card.balance),",
  ),
  mutant(
    'delivery.payload.promotional',
    payload,
    'IsPromotional: card.isPromotional,',
    "IsPromotional: topic !== 'giftcard/voided' && card.isPromotional,",
  ),
  mutant(
    'delivery.payload.gift-message',
    payload,
    'GiftCardMessage: card.giftMessage,',
    "GiftCardMessage: topic === 'giftcard/voided' ? null : card.giftMessage,",
  ),
  mutant(
    'delivery.payload.balance-after-event',
    payload,
    'Balance: amount(card.balance),',
    "Balance: amount(topic === 'giftcard/expired' ? 0 : card.balance),",
  ),
  mutant(
    'delivery.payload.initial-value',
    payload,
    'InitialValue: amount(card.initialValue),',
    "InitialValue: amount(topic === 'giftcard/expired' ? 0 : card.initialValue),",
  ),
  mutant(
    'delivery.payload.expiry',
    payload,
    'ExpiresAtUtc: card.expiresAt === null ?',
    "ExpiresAtUtc: card.expiresAt === null || topic === 'giftcard/expired' ?",
  ),
];
