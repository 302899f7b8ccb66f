import type { ErrorObject } from 'ajv';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { OperationId } from '../../../openapi/generated/validators.js';
import { cardNames } from '../../core/spec-constants.ts';

type Names = Readonly<Record<string, ClauseName>>;

/** By the operations that answer with it, the open clause that asks for a name, by what the contract calls it by default. */
const byName: readonly (readonly [of: RegExp, Names])[] = [
  [
    /GiftCard/,
    {
      initialValue: 'gift-card.response.initial-value-name',
      expiresAtUtc: 'gift-card.response.expiry-name',
      updatedAtUtc: 'gift-card.response.updated-name',
      recipientName: 'gift-card.response.recipient-nesting',
      id: 'gift-card.response.id-form',
    },
  ],
  [
    /^listAdjustments/,
    {
      giftCard: 'adjustment.history.card-name',
      adjustments: 'adjustment.history.entries-name',
      amount: 'adjustment.history.amount-name',
      type: 'adjustment.history.type-name',
      actionedAtUtc: 'adjustment.history.actioned-name',
    },
  ],
  [
    /^createAutomation/,
    { gift_cards: 'automation.cards-name', automations: 'automation.runs-name', id: 'gift-card.response.id-form' },
  ],
  [/^listWebhooks$/, { url: 'webhook.list.url-name' }],
  [/^getCompany/, { currency: 'company.currency-name', timeZone: 'company.time-zone-name' }],
];

const byOperation: Readonly<Partial<Record<OperationId, ClauseName>>> = {
  createGiftCard: 'gift-card.response.further-properties',
  getGiftCardByCode: 'gift-card.response.further-properties',
  getGiftCardById: 'gift-card.response.further-properties',
  listGiftCards: 'list.elements',
  getGiftCardsByEmail: 'gift-card.get-by-email.shape',
  getGiftCardByAccountPlatformIdAndSourceId: 'gift-card.get-by-source.answer',
  voidGiftCardByCode: 'gift-card.void.body',
  voidGiftCardById: 'gift-card.void.body',
  listAdjustmentsByGiftCardCode: 'adjustment.history.entries-name',
  listAdjustmentsByGiftCardId: 'adjustment.history.entries-name',
  createAutomationTriggerEvent: 'automation.runs-name',
  getCompanyProfile: 'company.name-name',
  listWebhooks: 'webhook.list.shape',
  createWebhook: 'webhook.create.body',
  deleteWebhook: 'webhook.delete.body',
};

/** Where a card stands within an answer; what is open of a card is so wherever it stands. */
const cardAt: Readonly<Partial<Record<OperationId, RegExp>>> = {
  listGiftCards: /^\/giftCards\/\d+/,
  getGiftCardsByEmail: /^\/\d+/,
  getGiftCardByAccountPlatformIdAndSourceId: /^/,
  voidGiftCardByCode: /^/,
  voidGiftCardById: /^/,
  listAdjustmentsByGiftCardCode: /^\/giftCard(?:\/|$)/,
  listAdjustmentsByGiftCardId: /^\/giftCard(?:\/|$)/,
};

/** What an answer lacks or has otherwise than the document, and the open clause that asks about it. */
export function ownerOf(
  operation: OperationId,
  error: ErrorObject,
): { readonly name: string | undefined; readonly clause: ClauseName | undefined } {
  const missing = (error.params as { readonly missingProperty?: string }).missingProperty;
  const name = missing ?? error.instancePath.split('/').findLast((step) => /^[a-z]/i.test(step));
  if (error.keyword === 'format' && (error.params as { readonly format?: string }).format === 'date-time')
    return { name, clause: 'http.date-form' };
  // An ID that is not there has no form.
  const names = missing === 'id' || name === undefined ? [] : byName.filter(([of]) => of.test(operation));
  const [clause] = names.flatMap(([, clauses]) => clauses[name ?? ''] ?? []);
  const isOfCard = name !== undefined && !cardNames.some((each) => each === name) && cardAt[operation]?.test(error.instancePath);
  return { name, clause: clause ?? (isOfCard ? 'gift-card.response.further-properties' : byOperation[operation]) };
}
