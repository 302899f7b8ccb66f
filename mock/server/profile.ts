import type { JsonObject } from '../../openapi/document.ts';
import type { AccountWith } from '../account/account-with.ts';
import { DAY } from '../domain/dates.ts';
import { toAmount } from '../domain/money.ts';
import type { CardRecord } from '../state/records.ts';
import type { Mock } from './mock.ts';

type ProfiledAccount = AccountWith<'id' | 'state' | 'settings' | 'keys' | 'clock' | 'behaviors'>;

type Addresses = Pick<Mock, 'url' | 'controlUrl' | 'controlToken'>;

/** Returns the profile of the first account. `usableKey` finds a key that can use the API. */
export function profileOf(
  accounts: readonly [ProfiledAccount, ...ProfiledAccount[]],
  usableKey: (account: ProfiledAccount) => string | undefined,
  addresses: Addresses,
  isLimited: boolean,
): JsonObject {
  const [own, ...others] = accounts;
  const keyOfPlan = (plan: string) =>
    accounts.flatMap((account) => (account.settings.plan === plan ? (usableKey(account) ?? []) : []))[0];
  const second = others.find((account) => usableKey(account) !== undefined);
  const basicKeys = others.flatMap(({ settings, keys }) => (settings.plan === 'Basic' ? keys : []));
  const entries = {
    secondKey: second && usableKey(second),
    deletedKey: own.keys.find(({ deleted, deletedAt }) => deleted && deletedAt === null)?.key,
    basicKey: basicKeys.find(({ deleted }) => !deleted)?.key,
    proKey: keyOfPlan('Pro'),
    plusKey: keyOfPlan('Plus'),
    enterpriseKey: keyOfPlan('Enterprise'),
    keyDescription: own.keys.find(({ key }) => key === usableKey(own))?.description || undefined,
    ...cardEntries(own, own.clock.now()),
    generatedCodePattern: patternOf(own.settings.codeFormat),
    defaultExpiryDays: own.settings.defaultExpiryDays ?? 0,
    secondDefaultExpiryDays: second && (second.settings.defaultExpiryDays ?? 0),
    playMoney: true,
    noRateLimit: isLimited ? undefined : true,
    timesShownExactly: own.behaviors['http.date-form'] === 'milliseconds-and-z' ? true : undefined,
    ...eventEntries(own),
    secondAutomationEvent: second && unlimitedEvents(second)[0]?.eventName,
    receiver: {},
    clock: clockEntry(own.id, addresses),
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Milliseconds. The suite waits for the expiry of a card only if the card expires within this time. */
const SOON = 14 * DAY;

function cardEntries({ state }: ProfiledAccount, now: number) {
  // The cards are sorted by code, so that equal worlds have equal profiles.
  const all = [...state.cards()].sort((one, other) => (one.code < other.code ? -1 : 1));
  const cards = all.filter(({ deletedAt }) => deletedAt === null);
  const codeOf = (kind: CardRecord['kind'], status: CardRecord['status']) =>
    cards.find((card) => card.kind === kind && card.status === status)?.code;
  const isSoon = (at: number | null): at is number => at !== null && at > now && at - now < SOON;
  const scheduled = cards.filter(({ status }) => status === 'Scheduled');
  const expiring = scheduled.find(
    ({ expiresAt, giftScheduledFor }) => isSoon(expiresAt) && (giftScheduledFor ?? 0) - expiresAt > DAY,
  );
  const days = Math.max(1, Math.round(((expiring?.expiresAt ?? now) - now) / DAY));
  const listing = (card: CardRecord) => state.listingsOf(card.id).find((each) => each.state === 'synced');
  const inChannel = cards.find((card) => card.kind === 'gift-card' && card.status === 'Active' && listing(card));
  const { sourceId, channelId: source } = (inChannel && listing(inChannel)) ?? {};
  return {
    voucherCode: codeOf('voucher', 'Active'),
    expiredCode: codeOf('gift-card', 'Expired'),
    redeemedCode: cards.find(({ kind, status, balance }) => kind === 'gift-card' && status === 'Redeemed' && balance === 0)?.code,
    scheduledCode: scheduled.find((card) => card.expiresAt === null && (card.giftScheduledFor ?? 0) - now > SOON - DAY)?.code,
    deletedCode: all.find(({ deletedAt, expiresAt }) => deletedAt !== null && !isSoon(expiresAt))?.code,
    storeCreditCode: codeOf('store-credit', 'Active'),
    expiringGift: expiring && { code: expiring.code, dueInDays: days },
    channelCard: inChannel && { code: inChannel.code, sourceId, source },
  };
}

function apiEvents({ state }: ProfiledAccount) {
  return [...state.automations()].filter((each) => each.active && each.trigger === 'ApiEvent');
}

function unlimitedEvents(account: ProfiledAccount) {
  return apiEvents(account).filter(({ usageLimit }) => usageLimit === null);
}

function eventEntries(own: ProfiledAccount) {
  const of = (name: string) => apiEvents(own).filter(({ eventName }) => eventName === name);
  const first = unlimitedEvents(own).find(({ eventName }) => of(eventName).every(({ usageLimit }) => usageLimit === null));
  const usedUp = apiEvents(own).find(
    ({ usageLimit, uses, eventName }) => usageLimit !== null && usageLimit - uses <= 1 && of(eventName).length === 1,
  );
  const same = [...own.state.automations()].filter(({ eventName }) => eventName === first?.eventName);
  return {
    automationEvent: first && {
      name: first.eventName,
      amount: toAmount(first.amount, own.settings.currency),
      automations: of(first.eventName).length,
      hasInactive: same.some((each) => !each.active && each.trigger === 'ApiEvent'),
      hasOtherTrigger: same.some((each) => each.active && each.trigger !== 'ApiEvent'),
    },
    usedUpAutomationEvent: usedUp?.eventName,
  };
}

/** Returns a code format as a regular expression: X is a letter or digit, # is a digit, other characters are literal. */
function patternOf(format: string): string {
  const patterns: Readonly<Record<string, string>> = { X: '[A-Z0-9]', '#': '[0-9]' };
  const parts = Array.from(format, (character) => patterns[character] ?? character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return `^${parts.join('')}$`;
}

function clockEntry(id: string, { url, controlUrl, controlToken }: Addresses) {
  if (controlUrl === undefined) return undefined;
  const path = `/__mock/accounts/${encodeURIComponent(id)}/clock/advance`;
  const headers = controlToken === undefined ? {} : { headers: { 'x-sandbox-token': controlToken } };
  return {
    advance: { method: 'POST', url: controlUrl === url ? path : `${controlUrl}${path}`, ...headers, body: { by: '{duration}' } },
  };
}
