export const DAY_MS = 86_400_000;

export interface ServerCard {
  readonly id: string | number;
  code: string;
  balance: number;
  /** The initial balance and all top-ups. */
  loaded: number;
  status: 'Active' | 'Redeemed' | 'Expired' | 'Voided' | 'Scheduled';
  /** The fields of the create request. */
  fields: Readonly<Record<string, unknown>>;
  readonly issuedAt: number;
  /** The time of issue by the system clock, plus the time by which requests moved the service's clock. */
  readonly issuedAtRealTime: number;
  expiresAt: number | undefined;
  updatedAt: number;
  /** The serial number of the last update. Cards that are updated at the same time have different numbers. */
  updates: number;
  readonly entries: ServerAdjustment[];
  giftDueAt: number | undefined;
  readonly isVoucher: boolean;
  isDeleted: boolean;
}

export interface ServerAdjustment {
  readonly type: 'issue' | 'top-up' | 'redemption';
  readonly amount: number;
  readonly notes: string | undefined;
  readonly actionedAtUtc: string;
  readonly recordedAt: number;
}

export interface ServerWebhook {
  readonly id: string | number;
  readonly url: string;
  readonly token: unknown;
  readonly description: unknown;
  failures: number;
}

export interface ServerAutomation {
  readonly id: number;
  readonly event: string;
  readonly amount: number;
  readonly limit: number;
  readonly isActive: boolean;
  readonly trigger: 'API event' | 'order';
  /** The idempotency keys of the automation's runs. */
  readonly runs: Set<unknown>;
}

export interface AccountRecords {
  readonly currency: string;
  readonly decimals: number;
  readonly cards: ServerCard[];
  readonly uniqueIds: Map<string, { readonly card: ServerCard; readonly at: number }>;
  /** Times by uniqueAdjustmentId. */
  readonly adjustmentIds: Map<string, number>;
  readonly webhooks: ServerWebhook[];
  readonly automations: ServerAutomation[];
  /** With 0 days, cards do not expire by default. */
  readonly defaultExpiryDays: number;
  /** Requests in the current minute of the clock. */
  rate: { minute: number; requests: number };
}
