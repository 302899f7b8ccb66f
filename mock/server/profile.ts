import type { Account } from '../account/account.ts';
import { DAY } from '../domain/day.ts';
import { toAmount } from '../domain/money.ts';
import type { AutomationRecord, CardRecord, ListingRecord } from '../state/records.ts';
import type { CardOfChannel, ProfileOfMock } from './profile-of-mock.ts';

/** How the mock's control door is asked; undefined where it is closed. */
export interface Door {
  /** Before /__mock: nothing where the door is at the service's own address. */
  readonly base: string;
  readonly token: string | undefined;
}

/** The account as it stands; `others` are the rest of the sandbox, `usableKey` says by which key an account is asked. */
export function profileOf(
  own: Account,
  others: readonly Account[],
  usableKey: (account: Account) => string | null,
  { door, isLimited }: { readonly door: Door | undefined; readonly isLimited: boolean },
): ProfileOfMock {
  const second = others.find((account) => usableKey(account) !== null);
  const ofPlan = (plan: string) =>
    [own, ...others].find((account) => account.settings.plan === plan && usableKey(account) !== null);
  const keyOf = (account: Account | undefined) => (account ? (usableKey(account) ?? undefined) : undefined);
  const basic = others.find(({ settings, keys }) => settings.plan === 'Basic' && keys.some(({ deleted }) => !deleted));
  const now = own.clock.now();
  const { behaviors } = own;
  return given({
    secondKey: keyOf(second),
    deletedKey: own.keys.find(({ deleted, deletedAt }) => deleted && deletedAt === null)?.key,
    basicKey: basic?.keys.find(({ deleted }) => !deleted)?.key,
    proKey: keyOf(ofPlan('Pro')),
    plusKey: keyOf(ofPlan('Plus')),
    enterpriseKey: keyOf(ofPlan('Enterprise')),
    keyDescription: own.keys.find(({ key }) => key === usableKey(own))?.description || undefined,
    ...cardsOf(own, now),
    generatedCodePattern: patternOf(own.settings.codeFormat),
    defaultExpiryDays: own.settings.defaultExpiryDays ?? 0,
    secondDefaultExpiryDays: second && (second.settings.defaultExpiryDays ?? 0),
    playMoney: true,
    noRateLimit: isLimited ? undefined : true,
    timesShownExactly: behaviors['http.date-form'] === 'milliseconds-and-z' ? true : undefined,
    ...eventsOf(own),
    secondAutomationEvent: second && unlimited(second)[0]?.eventName,
    receiver: {},
    clock: door && clockOf(own, door),
  });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is not there. */
function given<T extends object>(entries: T): Present<T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** Within so many days something that falls due is waited for. */
const SOON = 14 * DAY;

function cardsOf(own: Account, now: number) {
  // By their codes, so that the same world gives the same profile.
  const all = [...own.state.cards()].sort((one, other) => (one.code < other.code ? -1 : 1));
  const there = all.filter(({ deletedAt }) => deletedAt === null);
  const isSoon = (moment: number | null): moment is number => moment !== null && moment > now && moment - now < SOON;
  const due = (card: CardRecord | undefined, moment: number | null | undefined) =>
    card && { code: card.code, dueInDays: Math.max(1, Math.round(((moment ?? now) - now) / DAY)) };
  const kept = (kind: CardRecord['kind'], status: CardRecord['status']) =>
    there.find((card) => card.kind === kind && card.status === status)?.code;

  const scheduled = there.filter(({ status }) => status === 'Scheduled');
  const expiring = scheduled.find(
    ({ expiresAt, giftScheduledFor }) => isSoon(expiresAt) && (giftScheduledFor ?? 0) - expiresAt > DAY,
  );
  const waiting = scheduled.find((card) => card.expiresAt === null && (card.giftScheduledFor ?? 0) - now > SOON - DAY);

  const [deleted] = all.filter(({ deletedAt, expiresAt }) => deletedAt !== null && !isSoon(expiresAt));
  const listing = (card: CardRecord): ListingRecord | undefined =>
    own.state.listingsOf(card.id).find(({ state }) => state === 'synced');
  const active = there.find((card) => card.status === 'Active' && card.kind === 'gift-card' && listing(card));
  return {
    voucherCode: kept('voucher', 'Active'),
    expiredCode: kept('gift-card', 'Expired'),
    redeemedCode: there.find(({ kind, status, balance }) => kind === 'gift-card' && status === 'Redeemed' && balance === 0)?.code,
    scheduledCode: waiting?.code,
    deletedCode: deleted?.code,
    storeCreditCode: kept('store-credit', 'Active'),
    expiringGift: due(expiring, expiring?.expiresAt),
    channelCard: active && channelCard(own, active, listing(active)),
  };
}

function channelCard(
  { behaviors, ownRows }: Account,
  { code }: CardRecord,
  listing: ListingRecord | undefined,
): CardOfChannel | undefined {
  if (!listing) return undefined;
  const entry = { code, sourceId: listing.sourceId, source: listing.channelId };
  // Rows of a user's own may call them anything.
  if (ownRows.length > 0) return entry;
  const platform = behaviors['gift-card.get-by-source.platform-parameter'];
  return { ...entry, parameters: { platform, source: behaviors['gift-card.get-by-source.source-parameter'] } };
}

/** Automations that an event of the API runs whenever it comes. */
const unlimited = ({ state }: Account): AutomationRecord[] =>
  [...state.automations()].filter(({ active, trigger, usageLimit }) => active && trigger === 'ApiEvent' && usageLimit === null);

function eventsOf(own: Account) {
  const all = [...own.state.automations()];
  const active = all.filter((each) => each.active && each.trigger === 'ApiEvent');
  const alone = ({ eventName }: AutomationRecord) => active.filter((each) => each.eventName === eventName).length === 1;
  const isLast = ({ usageLimit, uses }: AutomationRecord) => usageLimit !== null && usageLimit - uses <= 1;
  const [first] = unlimited(own).filter(({ eventName }) =>
    active.every((each) => each.eventName !== eventName || each.usageLimit === null),
  );
  const beside = all.filter(({ eventName }) => eventName === first?.eventName);
  const count = beside.filter((each) => active.includes(each)).length;
  return {
    automationEvent: first && {
      name: first.eventName,
      amount: toAmount(first.amount, own.settings.currency),
      ...(count > 1 ? { automations: count } : {}),
      ...(beside.some((each) => !each.active && each.trigger === 'ApiEvent') ? { hasInactive: true } : {}),
      ...(beside.some((each) => each.active && each.trigger !== 'ApiEvent') ? { hasOtherTrigger: true } : {}),
    },
    usedUpAutomationEvent: active.find((each) => isLast(each) && alone(each))?.eventName,
  };
}

/** A format of codes as a regular expression: X is a letter or digit, # a digit, anything else itself. */
function patternOf(format: string): string {
  const signs = Array.from(format, (sign) =>
    sign === 'X' ? '[A-Z0-9]' : sign === '#' ? '[0-9]' : sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  return `^${signs.join('')}$`;
}

function clockOf({ id }: Account, { base, token }: Door) {
  const url = `${base}/__mock/accounts/${encodeURIComponent(id)}/clock`;
  const headers = token === undefined ? {} : { headers: { 'x-sandbox-token': token } };
  return {
    advance: { method: 'POST', url: `${url}/advance`, ...headers, body: { by: '{duration}' } },
  };
}
