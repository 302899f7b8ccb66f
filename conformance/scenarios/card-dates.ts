import { setTimeout as pause } from 'node:timers/promises';
import { advance, targetNow } from '../core/clock.ts';
import { objectIn } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { at, instantOf, issueTime, leaves } from '../http/json-search.ts';
import type { ClockControl } from '../http/target.ts';
import { Untested } from '../safety/policy.ts';
import { mustAdjust } from './adjustments.ts';
import { createCard, getByCode, type TestCard } from './cards.ts';
import { deliveryScenario } from './delivery-scenario.ts';
import { findListed } from './lists.ts';
import { payloadOf } from './payloads.ts';
import { fullCard, mutableCard, plainFields } from './shared-cards.ts';
import { voidedDelivery } from './single-deliveries.ts';

interface Issued {
  readonly on: TestCard;
  /** The time of issue as the target shows it, with a zone. */
  readonly time: string;
}

/** Adds the zone UTC to a time without a zone, because a target may reject a time without a zone in a query. Throws Untested `fact-missing` if there is no time. */
function issued(on: TestCard, time: unknown): Issued {
  if (instantOf(time) === undefined) throw new Untested('fact-missing', 'no property of a card shows when it was issued');
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(String(time));
  return { on, time: isZoned ? String(time) : `${time}Z` };
}

const showsIssueTime = (t: Trial, on: TestCard) => issueTime(on.response.json) !== undefined || !t.run.receiver;

/** Returns a card with its time of issue. If cards do not show this time, uses a delivery about the card. */
export async function issuedCard(t: Trial): Promise<Issued> {
  const on = await mutableCard(t);
  return showsIssueTime(t, on) ? issued(on, issueTime(on.response.json)) : (await issuedInDeliveries(t)).young;
}

/** Returns two cards. The old card was updated after the young card was issued. Throws Untested if both cards have the same time of issue. */
export async function updatedAfterIssue(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const first = await mutableCard(t);
  const pair = await (showsIssueTime(t, first) ? issuedInTurn(t, first) : issuedInDeliveries(t));
  if (instantOf(pair.old.time) === instantOf(pair.young.time))
    throw new Untested('needs-hook', 'the two cards have the same time of issue, so the clock of the target does not run');
  return pair;
}

async function issuedInTurn(t: Trial, first: TestCard): Promise<{ old: Issued; young: Issued }> {
  // With these pauses, the times differ even if the target shows whole seconds.
  await pause(1_100);
  const second = await createCard(t);
  await pause(1_100);
  await mustAdjust(t, first, 0.1);
  return { old: issued(first, issueTime(first.response.json)), young: issued(second, issueTime(second.response.json)) };
}

/** Returns the first and the last card of the delivery scenario. The scenario voids the first card after it has created the last card. */
async function issuedInDeliveries(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const { cards } = await deliveryScenario(t);
  const ofCard = async (who: 'gifted' | 'bare') => issued(cards[who], (await payloadOf(t, who, 'giftcard/voided')).CreatedAt);
  return { old: await ofCard('gifted'), young: await ofCard('bare') };
}

/** Returns the path at which cards show their expiry. Throws Untested `fact-missing` if cards do not show their expiry. */
export async function expiryPath(t: Trial): Promise<string> {
  const wanted = instantOf(plainFields.expiresAtUtc);
  const path = leaves((await fullCard(t)).response.json).find(({ value }) => instantOf(value) === wanted)?.path;
  if (path === undefined) throw new Untested('fact-missing', 'no property of a card shows its expiry');
  return path;
}

/** Returns the expiry that the creation showed, in milliseconds. Returns undefined if the card does not expire. */
export const expiryOf = async (t: Trial, on: TestCard): Promise<number | undefined> =>
  instantOf(at(on.response.json, await expiryPath(t)));

/** Returns the expiry and the time of issue of a card, in milliseconds. If cards do not show these times, creates another card like this card, and takes the times from a delivery. */
export async function datesOf(t: Trial, on: TestCard, key: string | undefined) {
  try {
    return { expires: await expiryOf(t, on), issued: instantOf(issueTime(on.response.json)) };
  } catch (error) {
    if (!(error instanceof Untested) || !t.run.receiver) throw error;
    const payload = await voidedDelivery(t, {}, key);
    return { expires: instantOf(payload.ExpiresAtUtc), issued: instantOf(payload.CreatedAt) };
  }
}

type DefaultExpiry = 'a default expiry' | 'no default expiry';

/** Creates a card without an expiry, on an account with or without a default expiry. The profile states which account has a default expiry. */
export function cardOfAccountWith(
  t: Trial,
  wanted: DefaultExpiry,
): Promise<{ on: TestCard; days: number; key: string | undefined }> {
  return t.shared(`card of an account with ${wanted}`, async (shared) => {
    const account = accountWith(t, wanted);
    if (account) return { ...account, on: await createCard(shared, {}, account.key) };
    const detail = `the profile names no account with ${wanted} (defaultExpiryDays, secondDefaultExpiryDays)`;
    throw new Untested('fixture-missing', detail);
  });
}

export function accountWith({ run }: Trial, wanted: DefaultExpiry): { days: number; key: string | undefined } | undefined {
  const { defaultExpiryDays, secondDefaultExpiryDays, secondKey } = run.profile;
  const isWanted = (days: number | undefined) => days !== undefined && days > 0 === (wanted === 'a default expiry');
  if (isWanted(defaultExpiryDays)) return { key: undefined, days: defaultExpiryDays ?? 0 };
  const isSecond = secondKey !== undefined && isWanted(secondDefaultExpiryDays);
  return isSecond ? { key: secondKey, days: secondDefaultExpiryDays ?? 0 } : undefined;
}

/** Creates a card with this expiry on an account with a default expiry. Returns the expiry in the card's delivery, or undefined if the profile names no such account. */
export async function givenExpiryBesidesDefault(t: Trial, expiresAtUtc: string): Promise<unknown> {
  const account = accountWith(t, 'a default expiry');
  return account && (await voidedDelivery(t, { expiresAtUtc }, account.key)).ExpiresAtUtc;
}

const minute = 60;
const quarterOfHour = 900_000;

/** Advances the clock of the target past the expiry of two cards. Returns their statuses and balances. */
export function expiredCards(t: Trial, clock: ClockControl) {
  return t.shared('cards whose expiry passes', async (shared) => {
    const shownBy = async (code: string) => objectIn(await getByCode(shared, code));
    const statusOf = async (code: string) => String((await shownBy(code)).status);
    const { expiringGift } = shared.run.profile;
    const scheduledBefore = expiringGift && (await statusOf(expiringGift.code));
    // A target may expire cards at midnight, so no midnight may come between the expiry and the lookup. In every time zone, midnight is at a full quarter of an hour in UTC. So the clock first advances to the start of a quarter.
    const first = await createCard(shared);
    const now = instantOf(issueTime(first.response.json)) ?? targetNow(shared);
    const leftOfQuarter = quarterOfHour - (now % quarterOfHour);
    await advance(shared, clock, Math.ceil(leftOfQuarter / 1_000));
    const fields = { expiresAtUtc: new Date(now + leftOfQuarter + minute * 1_000).toISOString() };
    const [plain, redeemed] = [await createCard(shared, fields), await createCard(shared, fields)];
    await mustAdjust(shared, redeemed, -1);
    const redeemedBefore = await statusOf(redeemed.code);

    await advance(shared, clock, 2 * minute);
    const { status: listed } = Object(await findListed(shared, plain));
    const lookedUp = await statusOf(plain.code);
    await advance(shared, clock, Math.ceil((expiringGift?.dueInDays ?? 0) * 24 + 25) * 60 * minute);
    const { status, balance } = await shownBy(plain.code);
    return {
      /** The status in the list, one minute after the expiry and before a lookup. Undefined if the list shows no status. */
      listed: typeof listed === 'string' ? listed : undefined,
      /** The status in the lookup after the list. */
      lookedUp,
      /** The state of the same card after the next midnight. */
      settled: { status: String(status), balance },
      redeemed: { before: redeemedBefore, settled: await statusOf(redeemed.code) },
      scheduled: expiringGift && { before: scheduledBefore, settled: await statusOf(expiringGift.code) },
    };
  });
}
