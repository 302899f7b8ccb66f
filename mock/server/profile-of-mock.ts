/**
 * What the conformance suite may know of an account of a mock: a profile file's content, whose entries recipes/conformance/profile.md explains. It stands
 * alone, since the package hands it out.
 */
export interface ProfileOfMock {
  readonly secondKey?: string;
  readonly deletedKey?: string;
  readonly basicKey?: string;
  readonly proKey?: string;
  readonly plusKey?: string;
  readonly enterpriseKey?: string;
  readonly keyDescription?: string;
  readonly voucherCode?: string;
  readonly expiredCode?: string;
  readonly redeemedCode?: string;
  readonly scheduledCode?: string;
  readonly deletedCode?: string;
  readonly storeCreditCode?: string;
  readonly expiringGift?: DueCard;
  readonly channelCard?: CardOfChannel;
  readonly generatedCodePattern?: string;
  readonly defaultExpiryDays?: number;
  readonly secondDefaultExpiryDays?: number;
  readonly playMoney?: boolean;
  readonly noRateLimit?: boolean;
  readonly timesShownExactly?: boolean;
  readonly automationEvent?: {
    readonly name: string;
    readonly amount: number;
    readonly automations?: number;
    readonly hasInactive?: boolean;
    readonly hasOtherTrigger?: boolean;
  };
  readonly usedUpAutomationEvent?: string;
  readonly secondAutomationEvent?: string;
  readonly receiver?: object;
  readonly clock?: { readonly advance: DoorRequest };
}

interface DueCard {
  readonly code: string;
  readonly dueInDays: number;
}

/** A card by the ID that a sales channel gave it. */
export interface CardOfChannel {
  readonly code: string;
  readonly sourceId: string;
  readonly source: string;
  readonly parameters?: { readonly platform: string; readonly source: string };
}

interface DoorRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}
