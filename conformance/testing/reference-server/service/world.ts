import type { StrangeAccount } from './account.ts';
import { issue } from './cards.ts';
import { DAY, type Service } from './state.ts';

export const keysOf = ({ first, second }: Service) =>
  new Map<string, StrangeAccount | 'basic'>([
    ['one', first],
    ['two', second],
    ['cheap', 'basic'],
  ]);

const inShop = (shopId: string) => ({ shopId });

/** Issues the cards that somebody is to find, most of which no request makes so. */
export function furnish(service: Service): void {
  const { first } = service;
  const later = () => service.ticks + 2 * DAY;
  issue(first, { code: 'old', balance: 3 }, { status: 'Expired' });
  issue(first, { code: 'dead', balance: 3, recipientEmailAddress: 'late@example.org', ...inShop('x-2') }, { deleted: true });
  issue(first, { code: 'dust', balance: 3 }, { deleted: true });
  issue(first, { code: 'later', balance: 3 }, { status: 'Scheduled' });
  issue(first, { code: 'alone', balance: 3 }, { status: 'Scheduled', opens: later() });
  issue(first, { code: 'brief', balance: 3, expiresAtUtc: new Date(later()).toISOString() }, { status: 'Scheduled' });
  issue(first, { code: 'fading', balance: 3, expiresAtUtc: new Date(later()).toISOString() }, { deleted: true });
  issue(first, { code: 'credit', balance: 3, ...inShop('x-1') });
  issue(first, { code: 'bon', balance: 3 }, { voucher: true });
}

/** What somebody has to be told who asks it everything. */
export const profile = {
  secondKey: 'two',
  deletedKey: 'was-deleted',
  basicKey: 'cheap',
  plusKey: 'one',
  keyDescription: 'the only key',
  unreachableGift: { code: 'alone', dueInDays: 2 },
  expiringGift: { code: 'brief', dueInDays: 2 },
  expiringDeletedCard: { code: 'fading', dueInDays: 2 },
  voucherCode: 'bon',
  expiredCode: 'old',
  scheduledCode: 'later',
  deletedCode: 'dead',
  spareDeletedCode: 'dust',
  deletedRecipient: 'late@example.org',
  storeCreditCode: 'credit',
  channelCard: { code: 'credit', source: 'shop', sourceId: 'x-1' },
  deletedChannelCard: { source: 'shop', sourceId: 'x-2' },
  defaultExpiryDays: 0,
  secondDefaultExpiryDays: 30,
  playMoney: true,
  clock: { advance: { method: 'PUT', url: '/later?seconds={seconds}' } },
  automationEvent: { name: 'party', amount: 7, automations: 2, hasInactive: true, hasOtherTrigger: true },
  secondAutomationEvent: 'party',
  usedUpAutomationEvent: 'first visit',
};
