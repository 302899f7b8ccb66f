import { advance, targetNow } from '../core/clock.ts';
import { isSuccess, objectIn } from '../core/expect.ts';
import type { Arrival, Mailbox } from '../core/receiver.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import type { ClockControl, Profile } from '../http/target.ts';
import { type CreateFields, createCard, getByCode, type TestCard, tryCreate, voidByCode } from './cards.ts';
import { DeliveryWatch, type Subject } from './deliveries.ts';
import { type DeliveryPayload, missingDelivery, payloadsIn } from './delivery-content.ts';
import { event } from './events.ts';
import { fixture, giftedFields } from './shared-cards.ts';

/** Milliseconds to wait for deliveries that must not arrive. */
const mustNot = 400;
const minute = 60;

const mustVoid = async (t: Trial, code: string, key?: string) =>
  mustSucceed(await voidByCode(t, code, key), 'voiding a card whose delivery is expected');

/** Voids a card and returns the payload of its giftcard/voided delivery. */
async function deliveryOfVoid(
  t: Trial,
  find: (watch: DeliveryWatch) => Promise<Subject>,
  key?: string,
): Promise<DeliveryPayload> {
  const watch = new DeliveryWatch(t, key);
  const box = await watch.open('one');
  const on = await find(watch);
  await mustVoid(t, on.code, key);
  await watch.arrival(on, 'giftcard/voided');
  await watch.close();
  t.reliesOn(watch.missing());
  const [payload] = payloadsIn(t.readDeliveries(watch.of(box, on, 'giftcard/voided')));
  if (!payload) throw new Blocked(missingDelivery('giftcard/voided'));
  return payload;
}

/** Creates a card with the fields and voids the card. Returns the payload of its giftcard/voided delivery. */
export const voidedDelivery = (t: Trial, fields: CreateFields, key?: string): Promise<DeliveryPayload> =>
  deliveryOfVoid(t, (watch) => watch.createCard(fields), key);

/** Voids a card of the profile. Returns the payload of its giftcard/voided delivery, or undefined if the profile names no such card. */
export async function fixtureDelivery(
  t: Trial,
  kind: keyof NonNullable<Profile['cardsToVoid']>,
): Promise<DeliveryPayload | undefined> {
  const code = t.run.profile.cardsToVoid?.[kind];
  const name = `cardsToVoid.${kind}`;
  if (code === undefined) {
    t.doesNotCheck(`a card of the profile: the profile has no ${name}`);
    return undefined;
  }
  return t.shared(`the void of ${name}`, async (shared) => {
    const on = { ...(await fixture(shared, code, 'Active')), name };
    return deliveryOfVoid(shared, async (watch) => watch.watch(on));
  });
}

/** Voids a card of the run's account, then a card of another account. Returns the deliveries about the first card to a webhook of the other account. */
export async function deliveriesToOtherAccount(t: Trial, key: string): Promise<readonly Arrival[]> {
  const watch = new DeliveryWatch(t, key);
  const box = await watch.open('other account');
  const [own, other] = [watch.watch(await createCard(t)), await watch.createCard()];
  await mustVoid(t, own.code);
  await mustVoid(t, other.code, key);
  await watch.arrival(other, 'giftcard/voided');
  await watch.pause(mustNot);
  await watch.close();
  if (watch.of(box).length === 0) throw new Blocked(missingDelivery('giftcard/voided'));
  return t.readDeliveries(watch.of(box, own));
}

const gift = { ...giftedFields, balance: 1.25 };

export const timedToken = 'a-token-of-the-expiry';

/** Advances the clock past the expiry of a card and past the date of two gifts. One of the gifts is voided before its date. */
export function timedDeliveries(t: Trial, clock: ClockControl) {
  return t.shared('deliveries about dates that come', async (shared) => {
    const watch = new DeliveryWatch(shared);
    const [plain, signed] = [await watch.open('timed'), await watch.open('timed, signed', { tokens: [timedToken] })];
    const other = await watch.createCard();
    const now = instantOf(issueTime(other.response.json)) ?? targetNow(shared);
    // The date is a whole second, because a target may store no fractions.
    const date = new Date((Math.ceil(now / 1_000) + 120 * minute) * 1_000).toISOString();
    const on = await watch.createCard({ balance: 1.25, expiresAtUtc: date });
    const deferred = await watch.createCard({ ...gift, giftScheduledForUtc: date });
    const dropped = await watch.createCard({ ...gift, giftScheduledForUtc: date });
    await mustVoid(shared, dropped.code);
    await watch.arrival(dropped, 'giftcard/voided');
    const expiredAt = (box: Mailbox) => watch.of(box, on, 'giftcard/expired')[0];
    const isGifted = (each: TestCard) => watch.of(plain, each, 'giftcard/gifted').length > 0;
    await advance(shared, clock, 90 * minute);
    await watch.pause(mustNot);
    const isEarly = { expired: expiredAt(plain) !== undefined, gifted: isGifted(deferred) };
    await advance(shared, clock, 31 * minute);
    const found = async () => objectIn(await getByCode(shared, on.code));
    // A target may process due dates only once a day, so the clock advances by one more day.
    if ((await found()).status !== 'Expired' || !(await watch.pause(watch.receiver.deadline, () => isGifted(deferred))))
      await advance(shared, clock, 25 * 60 * minute);
    const { status, balance } = await found();
    if (status === 'Expired') await watch.arrival(on, 'giftcard/expired');
    await watch.arrival(deferred, 'giftcard/gifted', [plain]);
    await mustVoid(shared, other.code);
    // This delivery is a control, so the run waits for the delivery even at a webhook that missed another one.
    const hasVoid = (box: Mailbox) => watch.of(box, other, 'giftcard/voided').length > 0;
    await watch.pause(watch.receiver.deadline, () => watch.boxes.every(hasVoid));
    await watch.arrival(other, 'giftcard/voided');
    await watch.pause(mustNot);
    await watch.close();
    return {
      card: { initial: 1.25, expiresAtUtc: date, status, balance },
      /** The giftcard/expired deliveries at webhooks without and with a token. `isEarly` is true if a delivery arrived half an hour before the expiry. */
      expired: { isEarly: isEarly.expired, plain: expiredAt(plain), signed: expiredAt(signed) },
      insteadOfExpired: watch.instead(plain, on, 'giftcard/expired'),
      /** `came` is true if giftcard/gifted arrived, and `isEarly` if it arrived half an hour before the date of the gift. */
      gifted: { isEarly: isEarly.gifted, came: isGifted(deferred) },
      hasVoidedGift: isGifted(dropped),
      missing: watch.missing(),
      hasVoid: hasVoid(plain),
    };
  });
}

/** Returns the payload of giftcard/expired and its card. Returns undefined if the target delivers none, or if the profile has no clock. */
export async function expiredPayload(t: Trial) {
  const { clock } = t.run.profile;
  const { card, expired } = (clock && (await timedDeliveries(t, clock))) ?? {};
  const [delivery] = t.readDeliveries([expired?.signed, expired?.plain].filter((each) => each !== undefined));
  const payload = delivery?.payload;
  if (card && payload) return { card, payload };
  t.doesNotCheck('giftcard/expired: none was delivered, or the profile has no clock');
  return undefined;
}

/** Creates a gift that is scheduled in the past. Returns the status of the response and the delivered topics. */
export async function giftScheduledInPast(t: Trial) {
  const watch = new DeliveryWatch(t);
  const box = await watch.open('past');
  const { code, response } = await tryCreate(t, { ...gift, giftScheduledForUtc: '2021-02-03T04:05:06.000Z' });
  const topics = () =>
    payloadsIn(box.arrivals).flatMap(({ Code, WebhookTopic }) => (Code === code ? [String(WebhookTopic)] : []));
  if (isSuccess(response)) await watch.pause(watch.receiver.deadline, () => topics().length > 0);
  await watch.close();
  return { status: response.status, topics: topics() };
}

/** Sends an event, voids the issued cards and returns all deliveries about them. Throws Blocked if no card or no delivery is found. */
export function automationDeliveries(t: Trial, name: string) {
  return t.shared('deliveries about cards of automations', async (shared) => {
    const watch = new DeliveryWatch(shared);
    const box = await watch.open('issued');
    const properties = {
      product: 'Teapot ✓ "large"',
      long: 'a text that is rather longer than what fits into a short column of some table',
      spaced: '  with blanks ',
      digits: '0042',
      number: '42',
      flag: 'true',
      page: '<b>1 & 2</b>',
      empty: '',
      gcs_run: shared.run.ledger.runId,
    };
    const { cards } = await event(shared, { event_name: name, amount: 1, properties });
    if (cards.length === 0) throw new Blocked('no card of the event can be looked up');
    for (const { card } of cards) watch.watch(card);
    // A target may build a payload only when it sends the delivery. So the run waits up to 1 s for a delivery that shows the card before its void.
    await watch.pause(1_000, () => watch.of(box).length > 0);
    for (const { card } of cards) await mustVoid(shared, card.code);
    for (const [index, { card }] of cards.entries())
      await watch.arrival({ ...card, name: `card ${index + 1} of an automation` }, 'giftcard/voided');
    await watch.pause(mustNot);
    await watch.close();
    const voided = cards.flatMap(({ card }) => payloadsIn(watch.of(box, card, 'giftcard/voided')));
    const payloads = payloadsIn(watch.of(box));
    shared.reliesOn(watch.missing());
    if (payloads.length === 0) throw new Blocked('no delivery about a card of an automation arrived');
    return { properties, payloads, voided, missing: watch.missing() };
  });
}
