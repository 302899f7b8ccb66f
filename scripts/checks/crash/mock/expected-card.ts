export const ACCOUNT = 'shop';
export const KEY = 'key-of-the-shop';

/** A change of a card's balance, by its unique value. The value is also the text of its notes. */
export interface BalanceChange {
  readonly amount: number;
  /** The body of an adjustment. A payment or refund has no unique value, so it is never repeated. */
  readonly adjustment: Readonly<Record<string, unknown>> | undefined;
  isAcknowledged: boolean;
}

/** A card as the client knows it. */
export interface ExpectedCard {
  readonly request: { readonly code: string; readonly uniqueId: string; readonly balance: number };
  readonly isNotified: boolean;
  /** Undefined until the create is acknowledged. */
  id: string | undefined;
  readonly changes: Map<string, BalanceChange>;
  voiding: 'none' | 'sent' | 'acknowledged';
}

/** Returns the path for the body of an adjustment. */
export function cardPathOf(adjustment: Readonly<Record<string, unknown>>): string {
  return `/api/GiftCardAdjustment/AddAdjustmentByGiftCard${'giftCardId' in adjustment ? 'Id' : 'Code'}`;
}
