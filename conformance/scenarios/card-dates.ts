import { setTimeout as pause } from 'node:timers/promises';
import { advance, targetNow } from '../core/clock.ts';
import { objectIn } from '../core/expect.ts';
import type { ClockControl } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { at, instantOf, issueTime, leaves } from '../http/json-search.ts';
import { mustAdjust } from './adjustments.ts';
import { type Card, card, getByCode } from './cards.ts';
import { deliveryScenario, payloadOf } from './delivery-scenario.ts';
import { findListed } from './lists.ts';
import { fullCard, mutableCard, plainFields } from './shared-cards.ts';
import { voidedDelivery } from './single-deliveries.ts';

/** When cards were issued and when they expire, on targets that need not show either on the card. */

interface Issued {
  readonly on: Card;
  /** The text that the target shows, with all its digits, and with a zone. */
  readonly time: string;
}

/** Untested `fact-missing` without a time. A time without a zone is UTC, but a target need not accept it in a query. */
function issued(on: Card, time: unknown): Issued {
  if (instantOf(time) === undefined) throw new Untested('fact-missing', 'no property of a card shows when it was issued');
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(String(time));
  return { on, time: isZoned ? String(time) : `${time}Z` };
}

const showsIssueTime = (t: Trial, on: Card) => issueTime(on.answer.json) !== undefined || !t.run.receiver;

/** A card with its time of issue, which the card shows or else its deliveries do. */
export async function issuedCard(t: Trial): Promise<Issued> {
  const on = await mutableCard(t);
  return showsIssueTime(t, on) ? issued(on, issueTime(on.answer.json)) : (await issuedInDeliveries(t)).young;
}

/** Two cards; the older was updated after the younger was issued. Untested if both have the same time of issue. */
export async function updatedAfterIssue(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const first = await mutableCard(t);
  const pair = showsIssueTime(t, first) ? await issuedInTurn(t, first) : await issuedInDeliveries(t);
  if (instantOf(pair.old.time) === instantOf(pair.young.time))
    throw new Untested('needs-control', 'the two cards have the same time of issue: the clock of the target does not run');
  return pair;
}

async function issuedInTurn(t: Trial, first: Card): Promise<{ old: Issued; young: Issued }> {
  // The target may show whole seconds.
  await pause(1_100);
  const second = await card(t);
  await pause(1_100);
  await mustAdjust(t, first, 0.1);
  return { old: issued(first, issueTime(first.answer.json)), young: issued(second, issueTime(second.answer.json)) };
}

/** The first and the last card of the delivery scenario. Both were voided after the last was created. */
async function issuedInDeliveries(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const { cards } = await deliveryScenario(t);
  const ofCard = async (who: 'gifted' | 'bare') => issued(cards[who], (await payloadOf(t, who, 'giftcard/voided')).CreatedAt);
  return { old: await ofCard('gifted'), young: await ofCard('bare') };
}

/** The path at which cards show their expiry, found with a card that has one. Untested `fact-missing` if they do not show it. */
export async function expiryPath(t: Trial): Promise<string> {
  const wanted = instantOf(plainFields.expiresAtUtc);
  const path = leaves((await fullCard(t)).answer.json).find(({ value }) => instantOf(value) === wanted)?.path;
  if (path === undefined) throw new Untested('fact-missing', 'no property of a card shows its expiry');
  return path;
}

/** The card's expiry in milliseconds, as its creation showed it; undefined if it has none. */
export const expiryOf = async (t: Trial, on: Card): Promise<number | undefined> =>
  instantOf(at(on.answer.json, await expiryPath(t)));

/** The card's times in milliseconds. If cards do not show them, the delivery about another card of the account does. */
export async function datesOf(t: Trial, on: Card, key: string | undefined) {
  try {
    return { expires: await expiryOf(t, on), issued: instantOf(issueTime(on.answer.json)) };
  } catch (error) {
    if (!(error instanceof Untested) || !t.run.receiver) throw error;
    const payload = await voidedDelivery(t, {}, key);
    return { expires: instantOf(payload.ExpiresAtUtc), issued: instantOf(payload.CreatedAt) };
  }
}

type DefaultExpiry = 'a default expiry' | 'no default expiry';

/** A card created without an expiry, on an account of the profile that has a default expiry or has none. */
export function cardOfAccountWith(t: Trial, wanted: DefaultExpiry): Promise<{ on: Card; days: number; key: string | undefined }> {
  return t.shared(`card of an account with ${wanted}`, async (shared) => {
    const account = accountWith(t, wanted);
    if (account) return { ...account, on: await card(shared, { balance: 0.5 }, account.key) };
    const detail = `the profile names no account with ${wanted} (defaultExpiryDays, secondDefaultExpiryDays)`;
    throw new Untested('fixture-missing', detail);
  });
}

function accountWith({ run }: Trial, wanted: DefaultExpiry): { days: number; key: string | undefined } | undefined {
  const { defaultExpiryDays, secondDefaultExpiryDays, secondKey } = run.profile;
  const isWanted = (days: number | undefined) => days !== undefined && days > 0 === (wanted === 'a default expiry');
  if (isWanted(defaultExpiryDays)) return { key: undefined, days: defaultExpiryDays ?? 0 };
  const isSecond = secondKey !== undefined && isWanted(secondDefaultExpiryDays);
  return isSecond ? { key: secondKey, days: secondDefaultExpiryDays ?? 0 } : undefined;
}

/** The delivered expiry of a card that has one, on an account with a default expiry; undefined if the profile names no such account. */
export async function givenExpiryBesidesDefault(t: Trial, expiresAtUtc: string): Promise<unknown> {
  const account = accountWith(t, 'a default expiry');
  return account && (await voidedDelivery(t, { expiresAtUtc }, account.key)).ExpiresAtUtc;
}

const minute = 60;
const quarterOfHour = 900_000;

/** Statuses and balances of cards whose expiry passed, on a target whose clock can be advanced. */
export function expiredCards(t: Trial, clock: ClockControl) {
  return t.shared('cards whose expiry passes', async (shared) => {
    const shownBy = async (code: string) => objectIn(await getByCode(shared, code));
    const statusOf = async (code: string) => String((await shownBy(code)).status);
    const { expiringGift } = shared.run.profile;
    const scheduledBefore = expiringGift && (await statusOf(expiringGift.code));
    // A target that expires cards at midnight must not do so between the expiry and the look. Midnight is at a quarter of an hour in every time zone.
    const first = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(first.answer.json)) ?? targetNow(shared);
    const leftOfQuarter = quarterOfHour - (now % quarterOfHour);
    await advance(shared, clock, Math.ceil(leftOfQuarter / 1_000));
    const fields = { balance: 0.5, expiresAtUtc: new Date(now + leftOfQuarter + minute * 1_000).toISOString() };
    const [plain, redeemed] = [await card(shared, fields), await card(shared, fields)];
    await mustAdjust(shared, redeemed, -0.5);
    const redeemedBefore = await statusOf(redeemed.code);

    await advance(shared, clock, 2 * minute);
    const { status: listed } = Object(await findListed(shared, plain));
    const lookedUp = await statusOf(plain.code);
    await advance(shared, clock, Math.ceil((expiringGift?.dueInDays ?? 0) * 24 + 25) * 60 * minute);
    const { status, balance } = await shownBy(plain.code);
    return {
      /** One minute after the expiry, as the list shows the card before anything looked it up; undefined if it shows no status. */
      listed: typeof listed === 'string' ? listed : undefined,
      /** The same card, looked up then. */
      lookedUp,
      /** The same card after the next midnight. */
      settled: { status: String(status), balance },
      redeemed: { before: redeemedBefore, settled: await statusOf(redeemed.code) },
      /** The statuses of the profile's Scheduled card, if the profile names one. */
      scheduled: expiringGift && { before: scheduledBefore, settled: await statusOf(expiringGift.code) },
    };
  });
}
