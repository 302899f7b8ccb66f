import type { ErrorObject } from 'ajv';
import type { ClauseName } from '../../../openapi/generated/clauses.ts';
import type { OperationId } from '../../../openapi/generated/validators.js';

/** The open clause that asks for a name, by what the contract calls it by default. */
const byName: Readonly<Record<string, ClauseName>> = {
  initialValue: 'gift-card.response.initial-value-name',
  expiresAtUtc: 'gift-card.response.expiry-name',
  updatedAtUtc: 'gift-card.response.updated-name',
  recipientName: 'gift-card.response.recipient-nesting',
  giftCard: 'adjustment.history.card-name',
  adjustments: 'adjustment.history.entries-name',
  amount: 'adjustment.history.amount-name',
  type: 'adjustment.history.type-name',
  actionedAtUtc: 'adjustment.history.actioned-name',
  id: 'gift-card.response.id-form',
  gift_cards: 'automation.cards-name',
  automations: 'automation.runs-name',
  url: 'webhook.list.url-name',
  currency: 'company.currency-name',
  timeZone: 'company.time-zone-name',
};

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

/** What an answer lacks or has otherwise than the document, and the open clause that asks about it. */
export function ownerOf(
  operation: OperationId,
  error: ErrorObject,
): { readonly name: string | undefined; readonly clause: ClauseName | undefined } {
  const missing = (error.params as { readonly missingProperty?: string }).missingProperty;
  const name = missing ?? error.instancePath.split('/').findLast((step) => /^[a-z]/i.test(step));
  if (error.keyword === 'format' && (error.params as { readonly format?: string }).format === 'date-time')
    return { name, clause: 'http.date-form' };
  const isOfCard = /^(create|get)GiftCard/.test(operation);
  const clause = name === undefined || (isOfCard && name === 'currency') ? undefined : byName[name];
  return { name, clause: clause ?? byOperation[operation] };
}
