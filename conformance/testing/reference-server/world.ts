import { issueCard } from './cards.ts';
import type { ServerAccount } from './faults/hooks.ts';
import { DAY_MS, type ServerCard } from './records.ts';

/** Adds cards in states that no request creates. */
export function addWorld(account: ServerAccount): void {
  const soon = account.service.now + 2 * DAY_MS;
  const expiresAtUtc = new Date(soon).toISOString();
  const add = (code: string, more: Partial<ServerCard> = {}, fields: Record<string, unknown> = {}) =>
    issueCard(account, { code, balance: 3, ...fields }, more);
  add('old', { status: 'Expired' });
  add('dead', { isDeleted: true }, { recipientEmailAddress: 'late@example.org', shopId: 'x-2' });
  add('dust', { isDeleted: true });
  add('later', { status: 'Scheduled' });
  add('alone', { status: 'Scheduled', giftDueAt: soon });
  add('brief', { status: 'Scheduled' }, { expiresAtUtc });
  add('fading', { isDeleted: true }, { expiresAtUtc });
  add('credit', {}, { shopId: 'x-1', isStoreCredit: true });
  add('old-credit', {}, { isStoreCredit: true });
  add('spent', { status: 'Redeemed', balance: 0 });
  add('of-batch', {}, { batch: 'b-7' });
  add('of-campaign', {}, { campaign: 'c-3', isPromotional: true });
  add('bon', { isVoucher: true });
}

export const worldProfile = {
  secondKey: 'two',
  deletedKey: 'was-deleted',
  basicKey: 'cheap',
  plusKey: 'medium',
  enterpriseKey: 'large',
  keyDescription: 'the only key',
  expiringGift: { code: 'brief', dueInDays: 2 },
  voucherCode: 'bon',
  expiredCode: 'old',
  redeemedCode: 'spent',
  scheduledCode: 'later',
  deletedCode: 'dead',
  storeCreditCode: 'credit',
  cardsToVoid: { storeCreditCode: 'old-credit', batchCode: 'of-batch', campaignCode: 'of-campaign' },
  channelCard: { code: 'credit', source: 'shop', sourceId: 'x-1' },
  defaultExpiryDays: 0,
  secondDefaultExpiryDays: 30,
  playMoney: true,
  clock: { advance: { method: 'PUT', url: '/later?seconds={seconds}' } },
  automationEvent: { name: 'party', amount: 7, automations: 2, hasInactive: true, hasOtherTrigger: true },
  secondAutomationEvent: 'party',
  usedUpAutomationEvent: 'first visit',
};
