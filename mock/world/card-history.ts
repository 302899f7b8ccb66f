import { decimalsOf } from '../../openapi/currency.ts';
import { parseDateTime } from '../../openapi/date-time.ts';
import { defaultBehaviors } from '../../openapi/generated/rules.ts';
import { DAY } from '../domain/dates.ts';
import { toAmount, toMinor } from '../domain/money.ts';
import { statusByBalance } from '../domain/status.ts';
import type { CardStatus } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import type { FilledAdjustment, FilledCard } from './description.ts';

/** All amounts of a card. Amounts that are not in the description are derived. */
export interface CardAmounts {
  readonly initialValue: Minor;
  readonly balance: Minor;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly amount: Minor;
  /** Undefined for an added entry that makes up the difference between balance and initial value. */
  readonly described?: FilledAdjustment;
}

const DEFAULT_VALUE = 25;

/** Returns a sentence if the currency cannot represent one of the amounts. */
export function inexactAmount(amounts: readonly (number | undefined)[], currency: string): string[] {
  const inexact = amounts.find((amount) => amount !== undefined && toMinor(amount, currency) === undefined);
  if (inexact === undefined) return [];
  return [`amount ${inexact} must have at most ${decimalsOf(currency)} decimals in ${currency}, and must not be too large.`];
}

/**
 * Derives missing amounts. The balance is the initial value plus all adjustments, or 0 for a voided card. If the description has no adjustments, and
 * its balance differs from its initial value, one added entry makes up the difference. Returns a sentence if the amounts contradict each other.
 */
export function amountsOf(card: FilledCard, currency: string): CardAmounts | string {
  const { status, kind, adjustments, inChannels } = card;
  const inAdjustments = adjustments.map(({ amount }) => amount);
  const given = [card.initialValue, card.balance, ...inAdjustments, ...Object.values(inChannels).map((each) => each.balance)];
  const [problem] = inexactAmount(given, currency);
  if (problem !== undefined) return problem;
  const minor = (amount: number) => toMinor(amount, currency) as Minor;
  const show = (value: Minor) => String(toAmount(value, currency));

  const described: Entry[] = adjustments.map((each) => ({ amount: minor(each.amount), described: each }));
  const sum = total(described);
  const balance = card.balance === undefined ? undefined : minor(card.balance);
  const initialValue = card.initialValue === undefined ? impliedValue(card, balance, sum, minor) : minor(card.initialValue);
  if (initialValue < 0)
    return `balance ${card.balance} and the adjustments give the initial value ${show(initialValue)}, which must not be below 0.`;
  const reached = initialValue + sum;
  if (status === 'Voided') {
    if (balance) return `balance must be 0 for a voided card, got ${card.balance}; leave balance out.`;
    return { initialValue, balance: 0, entries: described };
  }
  const wanted = balance ?? (status === 'Redeemed' && described.length === 0 ? 0 : reached);
  if (wanted !== reached && described.length > 0)
    return `balance is ${show(wanted)}, but the initial value ${show(initialValue)} and all adjustments give ${show(reached)}; leave one of the three out.`;
  const entries = wanted === reached ? described : [{ amount: wanted - reached }];
  if (status === 'Redeemed' && wanted > 0)
    return `status is Redeemed, but the balance is ${show(wanted)}; add the redemption, or leave status out.`;
  if (kind === 'voucher' && entries.length > 0 && (entries.length > 1 || wanted !== 0))
    return 'A voucher is redeemed in full or not at all; leave its adjustments out, or make its balance 0.';
  return { initialValue, balance: wanted, entries };
}

function impliedValue(card: FilledCard, balance: Minor | undefined, sum: Minor, minor: (amount: number) => Minor): Minor {
  if (balance === undefined || card.status === 'Voided') return minor(DEFAULT_VALUE);
  if (card.adjustments.length > 0) return balance - sum;
  return card.status === 'Redeemed' ? minor(DEFAULT_VALUE) : Math.max(balance, 0);
}

function total(entries: readonly Entry[]): Minor {
  return entries.reduce((sum, { amount }) => sum + amount, 0);
}

/** The times of a card, and the resulting status. */
export type CardTimes = ReturnType<typeof timesOf>['times'];

/** Returns the time of a text, or the time some days from now. Negative days are in the past. */
export function timeOf(text: string | null | undefined, days: number | undefined, now: number): number | undefined {
  if (typeof text === 'string') return parseDateTime(text);
  return days === undefined ? undefined : now + Math.round(days * DAY);
}

function timeAgo(text: string | undefined, days: number | undefined, now: number): number | undefined {
  return timeOf(text, days === undefined ? undefined : -days, now);
}

/** Returns the times of a card and of its entries. If the expiry or the gift is before `now`, it counts as already happened, and no event is due. */
export function timesOf(card: FilledCard, amounts: CardAmounts, now: number) {
  const isPast = (at: number | null | undefined): at is number => typeof at === 'number' && at <= now;
  const expiresAt = timeOf(card.expiresAtUtc, card.expiresInDays, now) ?? (card.status === 'Expired' ? now - DAY : null);
  const gift = timeOf(card.giftScheduledForUtc, card.giftScheduledInDays, now);
  const giftScheduledFor = gift ?? (card.status === 'Scheduled' ? now + 7 * DAY : null);
  const updated = timeAgo(card.updatedAtUtc, card.updatedDaysAgo, now);
  const actioned = amounts.entries.map(({ described }) => timeAgo(described?.actionedAtUtc, described?.actionedDaysAgo, now));

  const past = [expiresAt, giftScheduledFor, updated, ...actioned].filter(isPast);
  const dayBefore = past.length === 0 ? now : Math.min(...past) - DAY;
  const createdAt = Math.min(now, timeAgo(card.createdAtUtc, card.createdDaysAgo, now) ?? dayBefore);
  let recorded = createdAt;
  const entryTimes = actioned.map((time) => {
    const actionedAt = time ?? recorded;
    recorded = Math.max(recorded, Math.min(now, actionedAt));
    return { actionedAt, createdAt: recorded };
  });
  const status = statusOf(card, amounts, isPast(expiresAt), isPast(giftScheduledFor));
  const lastEvent = Math.max(recorded, status === 'Expired' && isPast(expiresAt) ? expiresAt : createdAt);
  const updatedAt = Math.max(lastEvent, Math.min(now, updated ?? lastEvent));
  return { times: { status, createdAt, updatedAt, expiresAt, giftScheduledFor }, entryTimes };
}

function statusOf(card: FilledCard, { balance, entries }: CardAmounts, isExpired: boolean, isGiftDue: boolean): CardStatus {
  if (card.status === 'Voided' || card.status === 'Expired') return card.status;
  if (isExpired) return 'Expired';
  if (card.status === 'Scheduled' && isGiftDue) return statusByBalance(balance, 'Scheduled', defaultBehaviors);
  // A card that was issued with a balance of 0 is not redeemed (gift-card.status.created-with-zero).
  return card.status ?? (entries.length > 0 ? statusByBalance(balance, 'Active', defaultBehaviors) : 'Active');
}
