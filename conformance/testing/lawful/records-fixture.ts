/** A card as the service keeps it. */
export interface Card {
  readonly id: string;
  readonly code: string;
  readonly customField1: string | undefined;
  readonly issuedAt: number;
  readonly expiresAt: number | undefined;
  balance: number;
  status: 'Active' | 'Redeemed' | 'Expired' | 'Voided';
  /** What it held when it was voided. */
  held: number;
  isDeleted: boolean;
  /** Newest last. */
  readonly entries: Entry[];
  /** A number that grows with each update of any card. */
  updated: number;
}

export interface Entry {
  readonly amount: number;
  readonly type: 'issue' | 'adjustment' | 'void' | 'expiry';
  readonly notes?: string;
  readonly at: number;
  readonly booked: number;
}

export interface Answer {
  readonly status: number;
  /** Undefined for plain text, where it is a refusal. */
  readonly told?: unknown;
}

export type By = 'code' | 'ID';

export interface Creating {
  readonly balance: number;
  readonly code?: string;
  readonly uniqueId?: string;
  readonly customField1?: string;
  readonly expiresAtUtc?: string;
}

export interface Adjusting {
  readonly giftCardCode?: string;
  readonly giftCardId?: string;
  readonly adjustmentAmount: number;
  readonly notes: string;
  readonly actionedAtUtc: string;
  readonly uniqueAdjustmentId: string;
}

export interface Listing {
  readonly pageSize: string;
  readonly pageNumber: string;
  readonly includeAll?: string;
  readonly since?: string;
}

/** More decimals than the currency has. */
export const tooPrecise = 0.001;
