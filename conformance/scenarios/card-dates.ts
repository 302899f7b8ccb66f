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

const noIssueTime = () => new Untested('fact-missing', 'no property of a card shows when it was issued');

const shownIssueTime = (on: Card): string | undefined => withZone(issueTime(on.answer.json));

/** A time without a zone is UTC, but a target need not accept it in a query. */
const withZone = (time: string | undefined) => (time === undefined || /(Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`);

/** A card with its time of issue, which the card shows or else its deliveries do. */
export async function issuedCard(t: Trial): Promise<Issued> {
  const on = await mutableCard(t);
  const time = shownIssueTime(on);
  return time === undefined ? (await issuedInDeliveries(t)).young : { on, time };
}

/** Two cards; the older was updated after the younger was issued. Untested if both have the same time of issue. */
export async function updatedAfterIssue(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const first = await mutableCard(t);
  const pair = shownIssueTime(first) === undefined ? await issuedInDeliveries(t) : await issuedInTurn(t, first);
  if (instantOf(pair.old.time) === instantOf(pair.young.time))
    throw new Untested('needs-control', 'the two cards have the same time of issue: the clock of the target does not run');
  return pair;
}

async function issuedInTurn(t: Trial, first: Card): Promise<{ old: Issued; young: Issued }> {
  const next = async (): Promise<Issued> => {
    const on = await card(t);
    const time = shownIssueTime(on);
    if (time === undefined) throw noIssueTime();
    return { on, time };
  };
  const old = { on: first, time: shownIssueTime(first) ?? '' };
  let young = await next();
  let tick = 20;
  for (const ms of [20, 1_100]) {
    if (instantOf(young.time) !== instantOf(old.time)) break;
    await pause(ms);
    young = await next();
    tick = ms;
  }
  // The update is later than the younger card's issue on the target's clock, too.
  await pause(tick);
  await mustAdjust(t, old.on, 0.1);
  return { old, young };
}

/** The first and the last card of the delivery scenario. Both were voided after the last was created. */
async function issuedInDeliveries(t: Trial): Promise<{ old: Issued; young: Issued }> {
  if (!t.run.receiver) throw noIssueTime();
  const { cards } = await deliveryScenario(t);
  const issued = async (who: 'gifted' | 'bare'): Promise<Issued> => {
    const time = withZone(String((await payloadOf(t, who, 'giftcard/voided')).CreatedAt));
    if (instantOf(time) === undefined) throw noIssueTime();
    return { on: cards[who], time: String(time) };
  };
  return { old: await issued('gifted'), young: await issued('bare') };
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

interface Dates {
  expires: number | undefined;
  issued: number | undefined;
}

/** The card's times in milliseconds. If cards do not show them, the delivery about another card of the account does. */
export async function datesOf(t: Trial, on: Card, key: string | undefined): Promise<Dates> {
  try {
    return { expires: await expiryOf(t, on), issued: instantOf(issueTime(on.answer.json)) };
  } catch (error) {
    if (!(error instanceof Untested) || !t.run.receiver) throw error;
    const account = key === undefined ? "the run's account" : 'another account';
    const payload = await t.shared(`delivery of a card without an expiry on ${account}`, (shared) =>
      voidedDelivery(shared, {}, key),
    );
    return { expires: instantOf(payload.ExpiresAtUtc), issued: instantOf(payload.CreatedAt) };
  }
}

interface OfAccount {
  days: number;
  key: string | undefined;
  on: Card;
}

/** A card created without an expiry, on an account that has a default expiry. */
export const cardWithDefaultExpiry = (t: Trial): Promise<OfAccount> =>
  cardWithoutExpiry(t, 'a default expiry', (days) => days > 0);

/** A card created without an expiry, on an account without a default expiry. */
export const cardWithoutDefaultExpiry = (t: Trial): Promise<OfAccount> =>
  cardWithoutExpiry(t, 'no default expiry', (days) => days === 0);

function cardWithoutExpiry(t: Trial, wanted: string, isWanted: (days: number) => boolean): Promise<OfAccount> {
  return t.shared(`card of an account with ${wanted}`, async (shared) => {
    const account = accountWith(t, isWanted);
    if (account) return { ...account, on: await card(shared, { balance: 0.5 }, account.key) };
    const detail = `the profile names no account with ${wanted} (defaultExpiryDays, secondDefaultExpiryDays)`;
    throw new Untested('fixture-missing', detail);
  });
}

function accountWith({ run }: Trial, isWanted: (days: number) => boolean): Omit<OfAccount, 'on'> | undefined {
  const { defaultExpiryDays, secondDefaultExpiryDays, secondKey } = run.profile;
  const accounts = [{ key: undefined, days: defaultExpiryDays }];
  const second = secondKey === undefined ? [] : [{ key: secondKey, days: secondDefaultExpiryDays }];
  return [...accounts, ...second].flatMap(({ key, days }) => (days !== undefined && isWanted(days) ? [{ key, days }] : []))[0];
}

/** The delivered expiry of a card that has one, on an account with a default expiry; undefined if the profile names no such account. */
export async function givenExpiryBesidesDefault(t: Trial, expiresAtUtc: string): Promise<unknown> {
  const account = accountWith(t, (days) => days > 0);
  return account && (await voidedDelivery(t, { expiresAtUtc }, account.key)).ExpiresAtUtc;
}

/** Statuses and balances of cards whose expiry passed, on a target whose clock can be advanced. */
interface ExpiredCards {
  /** One minute after the expiry, as the list shows the card before anything looked it up; undefined if it shows no status. */
  listed: string | undefined;
  /** The same card, looked up then. */
  lookedUp: string;
  /** The same card after the next midnight. */
  settled: { status: string; balance: unknown };
  redeemed: { before: string; settled: string };
  /** The statuses of the profile's Scheduled card, if the profile names one. */
  scheduled: { before: string; settled: string } | undefined;
}

const minute = 60;
const quarterOfHour = 900_000;

export function expiredCards(t: Trial, clock: ClockControl): Promise<ExpiredCards> {
  return t.shared('cards whose expiry passes', async (shared) => {
    const statusOf = async (code: string) => String(objectIn(await getByCode(shared, code)).status);
    const { expiringGift } = shared.run.profile;
    const scheduledBefore = expiringGift && (await statusOf(expiringGift.code));
    // A target that expires cards at midnight must not do so between the expiry and the look. Midnight is at a quarter of an hour in every time zone.
    const first = await card(shared, { balance: 0.5 });
    let now = instantOf(issueTime(first.answer.json)) ?? targetNow(shared);
    const leftOfQuarter = quarterOfHour - (now % quarterOfHour);
    if (leftOfQuarter < 5 * minute * 1_000) {
      await advance(shared, clock, Math.ceil(leftOfQuarter / 1_000));
      now += leftOfQuarter;
    }
    const fields = { balance: 0.5, expiresAtUtc: new Date(now + minute * 1_000).toISOString() };
    const [plain, redeemed] = [await card(shared, fields), await card(shared, fields)];
    await mustAdjust(shared, redeemed, -0.5);
    const before = await statusOf(redeemed.code);

    await advance(shared, clock, 2 * minute);
    const record = (await findListed(shared, plain)) as { status?: unknown } | undefined;
    const lookedUp = await statusOf(plain.code);
    await advance(shared, clock, Math.ceil((expiringGift?.dueInDays ?? 0) * 24 + 25) * 60 * minute);
    const { status, balance } = objectIn(await getByCode(shared, plain.code));
    const scheduledAfter = expiringGift && (await statusOf(expiringGift.code));
    return {
      listed: typeof record?.status === 'string' ? record.status : undefined,
      lookedUp,
      settled: { status: String(status), balance },
      redeemed: { before, settled: await statusOf(redeemed.code) },
      scheduled: scheduledBefore && scheduledAfter ? { before: scheduledBefore, settled: scheduledAfter } : undefined,
    };
  });
}
