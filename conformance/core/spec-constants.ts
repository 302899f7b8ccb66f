import document from '../../openapi/generated/contract.json' with { type: 'json' };

/** What the specification says of a card by name. */
export const cardNames = [
  'id',
  'code',
  'balance',
  'currency',
  'status',
  'viewBalanceUrl',
  'appleWalletUrl',
  'googleWalletUrl',
] as const;

export const customFieldNames = ['customField1', 'customField2', 'customField3'] as const;

export const cardStatuses: readonly string[] = document.components.schemas.GiftCardStatus.enum;

export const camelCase = /^[a-z][a-zA-Z0-9]*$/;
