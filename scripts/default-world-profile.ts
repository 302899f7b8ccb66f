import type { Profile } from '../conformance/core/target.ts';

/** What the mock's default world offers, said as any team would say it of its own target. */
export const defaultWorldProfile: Profile = {
  secondKey: 'sandbox-key-other-not-a-real-key',
  deletedKey: 'sandbox-key-main-deleted-not-a-real-key',
  basicKey: 'sandbox-key-basic-not-a-real-key',
  proKey: 'sandbox-key-main-not-a-real-key',
  enterpriseKey: 'sandbox-key-other-not-a-real-key',
  keyDescription: 'Sandbox key',
  voucherCode: 'VOUCHER-0001',
  expiredCode: 'EXPIRED-0001',
  redeemedCode: 'REDEEMED-0001',
  scheduledCode: 'SCHEDULED-0001',
  deletedCode: 'DELETED-0001',
  storeCreditCode: 'STORE-CREDIT-0001',
  expiringGift: { code: 'SCHEDULED-0003', dueInDays: 3 },
  channelCard: {
    code: 'ACTIVE-0001',
    sourceId: 'online-store-active-0001',
    source: 'online-store',
  },
  defaultExpiryDays: 0,
  secondDefaultExpiryDays: 365,
  playMoney: true,
  generatedCodePattern: '^[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]-[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]-[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]$',
  automationEvent: { name: 'review_created', amount: 10, hasInactive: true, hasOtherTrigger: true },
  secondAutomationEvent: 'visited',
  usedUpAutomationEvent: 'signed_up',
  noRateLimit: true,
  timesShownExactly: true,
  receiver: {},
  clock: {
    advance: { method: 'POST', url: '/__mock/accounts/main/clock/advance', body: { by: '{duration}' } },
  },
};
