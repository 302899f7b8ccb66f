import { advance, targetNow } from '../core/clock.ts';
import { objectIn } from '../core/expect.ts';
import type { ClockControl } from '../core/target.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';
import { type Card, card, create, getByCode, voidByCode } from './cards.ts';
import type { Payload } from './deliveries.ts';
import { DeliveryWatch, receiverOf, recordDelivery, type Topic } from './delivery-watch.ts';
import { event } from './events.ts';
import { giftedFields } from './shared-cards.ts';
import { register, removeAll } from './webhooks.ts';

/** Deliveries that need a webhook of their own: of one void, of an expiry, of gifts with a date, of cards of automations. */

/** Milliseconds to wait for deliveries that must come, that may come, and that must not come. */
const waits = { must: 10_000, may: 3_000, mustNot: 400 };
/** In seconds. */
const [minute, hour] = [60, 3_600];

/** Registers a webhook at a new mailbox. */
async function openWebhook(t: Trial, name: string, key?: string): Promise<{ box: Mailbox; receiver: Receiver }> {
  const receiver = receiverOf(t);
  const box = await receiver.mailbox(name);
  mustSucceed((await register(t, box.url, {}, key)).answer, 'registering a webhook');
  return { box, receiver };
}

const ofCard = ({ arrivals }: Mailbox, { code }: Pick<Card, 'code'>, topic?: Topic): Arrival[] =>
  arrivals.filter(({ payload }) => payload?.Code === code && (!topic || payload.WebhookTopic === topic));

/** The giftcard/voided of a new card with these fields. */
export async function voidedDelivery(t: Trial, fields: object, key?: string): Promise<Arrival> {
  const { box } = await openWebhook(t, 'one', key);
  const watch = new DeliveryWatch(t);
  const on = await watch.createCard({ ...fields, balance: 0.5 }, key);
  mustSucceed(await voidByCode(t, on.code, key), `voiding ${on.name}`);
  await watch.arrival([box], on, 'giftcard/voided');
  await removeAll(t, [box.url], key);
  const [arrival] = watch.of(box, on, 'giftcard/voided');
  if (!arrival) throw new Blocked(`no giftcard/voided of ${on.name} arrived`);
  return arrival;
}

interface ExpiredDelivery {
  /** Its initial value, its expiry, and its balance after that. */
  readonly card: { readonly initial: number; readonly expiresAtUtc: string; readonly balance: unknown };
  /** Whether giftcard/expired arrived half an hour before the expiry. */
  readonly isEarly: boolean;
  /** At a webhook without a token, and at a later one with a token. */
  readonly plain: Arrival | undefined;
  readonly signed: Arrival | undefined;
}

export const expiryToken = 'a-token-of-the-expiry';

/**
 * The giftcard/expired of a card that expired. Untested `control-failed` if the card is not Expired within a day after its expiry, or if no
 * giftcard/voided of another card arrives then either.
 */
export function expiredDelivery(t: Trial, clock: ClockControl): Promise<ExpiredDelivery> {
  receiverOf(t);
  return t.shared('the delivery of an expiry', async (shared) => {
    const { box: plain, receiver } = await openWebhook(shared, 'expiring');
    const signed = await receiver.mailbox('expiring, signed');
    const withToken = await register(shared, signed.url, { requestHeaderVerificationToken: expiryToken });
    mustSucceed(withToken.answer, 'registering a webhook with a token');
    const other = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(other.answer.json)) ?? targetNow(shared);
    // A whole second, because a target may store no fractions.
    const expiresAtUtc = new Date((Math.ceil(now / 1_000) + 2 * hour) * 1_000).toISOString();
    const on = await card(shared, { balance: 0.5, expiresAtUtc });
    const expiredAt = (box: Mailbox) => ofCard(box, on, 'giftcard/expired')[0];
    await advance(shared, clock, 90 * minute);
    const isEarly = await receiver.until(() => expiredAt(plain) !== undefined, waits.mustNot);
    await advance(shared, clock, 31 * minute);
    const found = async () => objectIn(await getByCode(shared, on.code));
    if ((await found()).status !== 'Expired') await advance(shared, clock, 25 * hour);
    const { status, balance } = await found();
    mustSucceed(await voidByCode(shared, other.code), `voiding ${other.name}`);
    const both = () => expiredAt(plain) !== undefined && expiredAt(signed) !== undefined;
    const came = status === 'Expired' && (await shared.run.client.rate.during(() => receiver.comes(both, waits.must)));
    recordDelivery(shared, on, 'giftcard/expired', [plain, signed], (each) => expiredAt(each) !== undefined);
    await removeAll(shared, [plain.url, signed.url]);
    if (status !== 'Expired') throw new Untested('control-failed', `a card is ${String(status)} after its expiry`);
    if (!came && ![plain, signed].every((box) => ofCard(box, other, 'giftcard/voided').length > 0))
      throw new Untested('control-failed', `giftcard/voided of a later void did not arrive within ${waits.must} ms either`);
    return { card: { initial: 0.5, expiresAtUtc, balance }, isEarly, plain: expiredAt(plain), signed: expiredAt(signed) };
  });
}

/** The payload of giftcard/expired and its card, if the target delivers one and the profile has a clock. */
export async function expiredPayload(t: Trial) {
  const { clock } = t.run.profile;
  const { card, plain, signed } = (clock && (await expiredDelivery(t, clock))) ?? {};
  const payload = signed?.payload ?? plain?.payload;
  if (card && payload) return { card, payload };
  t.doesNotCheck('giftcard/expired: none was delivered, or the profile has no clock');
  return undefined;
}

/** The topics of deliveries about a gift: those before its date, and all. */
interface GiftTopics {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const gift = { ...giftedFields, balance: 0.5 };
const topicsOf = (box: Mailbox, on: Pick<Card, 'code'>) => ofCard(box, on).map(({ payload }) => String(payload?.WebhookTopic));

/** Two gifts that are scheduled for one hour after their creation; `voided` is voided before that. */
export function scheduledGifts(t: Trial, clock: ClockControl): Promise<{ deferred: GiftTopics; voided: GiftTopics }> {
  receiverOf(t);
  return t.shared('gifts whose date comes', async (shared) => {
    const { box, receiver } = await openWebhook(shared, 'scheduled');
    const other = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(other.answer.json)) ?? targetNow(shared);
    const fields = { ...gift, giftScheduledForUtc: new Date(now + hour * 1_000).toISOString() };
    const [deferred, voided] = [await card(shared, fields), await card(shared, fields)];
    mustSucceed(await voidByCode(shared, voided.code), `voiding ${voided.name}`);
    const comes = async (on: Card, topic: Topic) => {
      const hasTopic = () => topicsOf(box, on).includes(topic);
      await shared.run.client.rate.during(() => receiver.comes(hasTopic, waits.must));
      recordDelivery(shared, on, topic, [box], hasTopic);
    };
    const topics = async () => {
      await receiver.until(() => false, waits.mustNot);
      return [topicsOf(box, deferred), topicsOf(box, voided)] as const;
    };
    await comes(voided, 'giftcard/voided');
    const before = await topics();
    await advance(shared, clock, 2 * hour);
    // A target may deliver gifts once a day.
    const isGifted = () => topicsOf(box, deferred).includes('giftcard/gifted');
    if (!(await receiver.until(isGifted, waits.may))) await advance(shared, clock, 25 * hour);
    await comes(deferred, 'giftcard/gifted');
    const after = await topics();
    await removeAll(shared, [box.url]);
    return { deferred: { before: before[0], after: after[0] }, voided: { before: before[1], after: after[1] } };
  });
}

/** The response to the creation of a gift that is scheduled in the past, and the topics delivered about it. */
export async function giftScheduledInPast(t: Trial): Promise<{ status: number; topics: readonly string[] }> {
  const { box, receiver } = await openWebhook(t, 'past');
  const { code, answer } = await create(t, { ...gift, giftScheduledForUtc: '2021-02-03T04:05:06.000Z' });
  if (answer.status === 200) await receiver.until(() => topicsOf(box, { code }).length > 0, waits.may);
  await removeAll(t, [box.url]);
  return { status: answer.status, topics: topicsOf(box, { code }) };
}

interface AutomationDeliveries {
  /** The properties of the event. */
  readonly properties: Readonly<Record<string, string>>;
  /** All deliveries about the cards, and the giftcard/voided of each. */
  readonly payloads: readonly Payload[];
  readonly voided: readonly Payload[];
}

/** Deliveries about the cards that an event's automations issue, and that the run then voids. Blocked if no card was issued, or no void arrived. */
export function automationDeliveries(t: Trial, name: string): Promise<AutomationDeliveries> {
  receiverOf(t);
  return t.shared('deliveries about cards of automations', async (shared) => {
    const { box, receiver } = await openWebhook(shared, 'issued');
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
    const codes = new Set<unknown>(cards.map(({ card }) => card.code));
    if (codes.size === 0) throw new Blocked('no card of the event can be looked up');
    const isAbout = ({ payload }: Arrival) => codes.has(payload?.Code);
    const isVoid = (arrival: Arrival) => isAbout(arrival) && arrival.payload?.WebhookTopic === 'giftcard/voided';
    const haveCome = () => box.arrivals.filter(isVoid).length >= codes.size;
    // A delivery that is built late may show the voided card.
    await receiver.until(() => box.arrivals.some(isAbout), 1_000);
    for (const code of codes) mustSucceed(await voidByCode(shared, String(code)), 'voiding a card of an automation');
    await receiver.until(haveCome, waits.must);
    await receiver.until(() => false, waits.mustNot);
    await removeAll(shared, [box.url]);
    if (!haveCome()) throw new Blocked('no giftcard/voided of a card of an automation arrived');
    const payloads = (arrivals: readonly Arrival[]) => arrivals.flatMap(({ payload }) => (payload ? [payload] : []));
    return {
      properties,
      payloads: payloads(box.arrivals.filter(isAbout)),
      voided: payloads(box.arrivals.filter(isVoid)),
    };
  });
}
