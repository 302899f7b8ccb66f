import { ruleValues } from '../../openapi/generated/rules.ts';
import type { Arrival, Mailbox, ReceiverResponse } from '../core/receiver.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested } from '../safety/policy.ts';
import { adjustFunctions, mustAdjust } from './adjustments.ts';
import { type TestCard, voidByCode, voidById } from './cards.ts';
import { DeliveryWatch } from './deliveries.ts';
import type { DeliveryTopic } from './delivery-content.ts';
import { farExpiry, giftedFields, notifiedFields } from './shared-cards.ts';
import { getWebhookList, idsOf, isListedAt, removeAll, sendDeleteWebhook } from './webhooks.ts';

export type DeliveryScenario = Awaited<ReturnType<typeof deliveryScenario>>;

export type CardName = keyof DeliveryScenario['cards'];

export const tokens = {
  signed: 'first+token/for=signing',
  content: 'another token & longer than the first',
  twin: 'a token of one of two webhooks',
  failing: 'a third token, '.repeat(6),
} as const;

export const mostFailures = ruleValues['webhook.disabled-after-failures'];

const always = (status: number) => (): ReceiverResponse => ({ status });

/** Fails the first deliveries, and accepts the others. */
const failing =
  (count: number) =>
  (before: number): ReceiverResponse => ({ status: before < count ? 500 : 200 });

/** Statuses of success other than 200, the rarest first. A target that wrongly counts these statuses as failures disables the webhook `content`. */
const otherSuccesses = [203, 206, 226, 299, 207, 208, 201, 202, 204];

/** Opens the mailboxes and registers their webhooks. Most mailboxes are named after their responses to deliveries about the five cards. */
async function openBoxes(watch: DeliveryWatch) {
  /** The mailbox `moved` redirects to this mailbox. No webhook is registered here. */
  const elsewhere = await watch.receiver.mailbox('elsewhere');
  const signed = await watch.open('signed', { tokens: [tokens.signed] });
  /** A mailbox with two webhooks at one URL. The URL has a query. Only the second webhook has a token. */
  const twin = await watch.open('twin', { query: '?from=conformance&twice=yes', tokens: [undefined, tokens.twin] });
  const hasVoid = () => watch.of(signed).some(({ payload }) => payload?.WebhookTopic === 'giftcard/voided');
  const untilVoid = (): ReceiverResponse => ({
    status: 200,
    after: watch.receiver.until(() => hasVoid() || watch.isStarving, 4_000),
  });
  return {
    elsewhere,
    signed,
    twin,
    content: await watch.open('content', {
      tokens: [tokens.content],
      response: (before) => ({ status: otherSuccesses[before % otherSuccesses.length] ?? 200 }),
    }),
    /** A webhook that fails until it is disabled. Its token is longer than 64 bytes. HMAC-SHA256 hashes such a key before it uses the key. */
    failing: await watch.open('failing', { tokens: [tokens.failing], enough: mostFailures, response: failing(mostFailures) }),
    /** A webhook that fails once less, so the target must not disable the webhook. */
    tolerated: await watch.open('tolerated', { response: failing(mostFailures - 1) }),
    /** A webhook that fails as often as `failing`, but never more than three times in a row. */
    relapsing: await watch.open('relapsing', {
      enough: mostFailures + 1,
      response: (before) => (before === 3 ? { status: 200 } : failing(mostFailures + 1)(before)),
    }),
    /** A webhook that the run registers again after it is disabled. */
    revived: await watch.open('revived', { enough: mostFailures, response: always(503) }),
    missing: await watch.open('missing', { enough: 0, response: always(404) }),
    moved: await watch.open('moved', { enough: 0, response: () => ({ status: 307, location: elsewhere.url }) }),
    /** A webhook that responds to its first delivery late, but before a delivery can time out. */
    slow: await watch.open('slow', { enough: 0, response: (before) => (before > 0 ? { status: 200 } : untilVoid()) }),
    /** A webhook that the run deletes before the voids. */
    deleted: await watch.open('deleted', { enough: 0 }),
  };
}

/** Creates and voids five cards, and collects their deliveries to twelve webhooks. A run does this once. Throws Untested `no-receiver` if nothing arrives. */
export async function deliveryScenario(t: Trial) {
  const played = await t.shared('deliveries about five cards', async (shared) => {
    const watch = new DeliveryWatch(shared);
    try {
      return await play(shared, watch);
    } finally {
      await watch.close();
    }
  });
  return { ...played, of: (...about: Parameters<typeof played.of>) => t.readDeliveries(played.of(...about)) };
}

type Boxes = Awaited<ReturnType<typeof openBoxes>>;

async function play(t: Trial, watch: DeliveryWatch) {
  const boxes = await openBoxes(watch);
  const first = await getWebhookList(t);
  const [failingId] = idsOf(t, first, boxes.failing.url);
  const cards = await issueCards(t, watch, boxes);
  const { gifted, notified, quiet, bare } = cards;
  const adjusts = await adjustFunctions(t);
  for (const adjust of adjusts) mustSucceed(await adjust(t, gifted, 0.25), 'adjusting a card');
  await mustAdjust(t, gifted, -0.25);
  await mustAdjust(t, notified, -1.75);
  await mustAdjust(t, quiet, -1.25);
  await voidCard(t, watch, gifted);
  // A target may send giftcard/voided for a second void, too. When the deliveries of the next voids have arrived, such a delivery has arrived, too.
  await voidByCode(t, gifted.code);
  await voidCard(t, watch, notified, true);
  await voidCard(t, watch, quiet);
  await voidCard(t, watch, cards.later);
  const beforeLastVoid = await readWebhooks(t, watch, boxes);
  const isRevived = !beforeLastVoid.listed.has(boxes.revived);
  if (isRevived) await watch.register(boxes.revived);
  const again = await getWebhookList(t);
  await voidCard(t, watch, bare);
  await watch.lateArrivals();
  const last = await readWebhooks(t, watch, boxes);
  // A wrong target may send deliveries that it must not send. The pause gives these deliveries time to arrive.
  await watch.pause(250);
  const canDelete = failingId !== undefined && !last.listed.has(boxes.failing);
  return {
    boxes,
    cards,
    webhookLists: { beforeLastVoid, last },
    /** The number of top-ups of the gifted card by 0.25: one by code, and one by ID if the run can adjust by ID. */
    topUps: adjusts.length,
    deletionOfDisabled: canDelete ? await sendDeleteWebhook(t, failingId) : undefined,
    /** IDs of `revived` in the list, before and after its second registration. Undefined if the target did not disable the webhook in time. */
    revivedIds: isRevived ? { before: idsOf(t, first, boxes.revived.url), after: idsOf(t, again, boxes.revived.url) } : undefined,
    of: (...about: Parameters<typeof watch.of>) => watch.of(...about),
    missing: (...about: Parameters<typeof watch.missing>) => watch.missing(...about),
    instead: (...about: Parameters<typeof watch.instead>) => watch.instead(...about),
  };
}

async function issueCards(t: Trial, watch: DeliveryWatch, boxes: Boxes) {
  const gifted = await watch.createCard(giftedFields);
  await watch.arrival(gifted, 'giftcard/gifted');
  const notified = await watch.createCard(notifiedFields);
  await watch.arrival(notified, 'giftcard/updated');
  await mustAdjust(t, notified, 0.25);
  await removeAll(t, [boxes.deleted.url]);
  return {
    /** A gift with all fields, topped up, redeemed, and voided by code. */
    gifted,
    /** A card with a notification. Later topped up, fully redeemed, then voided by ID. */
    notified,
    /** A gift with emails disabled. Later fully redeemed, then voided. */
    quiet: await watch.createCard({ ...giftedFields, balance: 1.25, disableEmails: true }),
    /** A gift with a date in the far future. Voided before this date. */
    later: await watch.createCard({ ...giftedFields, balance: 1.25, giftScheduledForUtc: farExpiry(17) }),
    /** A card with only a balance and a code. Later voided. */
    bare: await watch.createCard(),
  };
}

async function voidCard(t: Trial, watch: DeliveryWatch, on: TestCard, byId = false): Promise<void> {
  mustSucceed(byId ? await voidById(t, on.id) : await voidByCode(t, on.code), `voiding ${on.name}`);
  await watch.arrival(on, 'giftcard/voided');
  if (watch.hasDelivered) return;
  t.reliesOn(watch.missing());
  throw new Untested('no-receiver', 'nothing arrived: the target sends no deliveries, or does not reach the receiver');
}

/** Reads the list until every webhook that failed often enough is gone, but no longer than 10 s. The specification does not say how soon a failure counts. */
async function readWebhooks(t: Trial, watch: DeliveryWatch, boxes: Boxes) {
  const end = performance.now() + 10_000;
  for (let ms = 50; ; ms = Math.min(ms * 2, 1_000)) {
    /** The mailboxes whose webhooks had failed often enough before the list was read. The target must have disabled them. */
    const failed = [boxes.failing, boxes.relapsing, boxes.revived].filter((box) => watch.hasEnough(box));
    const json = await getWebhookList(t);
    const listed: ReadonlySet<Mailbox> = new Set(watch.boxes.filter(({ url }) => isListedAt(t, json, url)));
    if (performance.now() > end || !failed.some((box) => listed.has(box))) return { listed, failed };
    await watch.pause(ms);
  }
}

/** Returns all attempts of a failed delivery that the target repeated. An event may have several deliveries, as the webhook `signed` shows. */
export function repeatedAttempts({ boxes, of, cards }: DeliveryScenario): readonly Arrival[] {
  const { failing, tolerated, relapsing, revived, missing, moved } = boxes;
  for (const box of [failing, tolerated, relapsing, revived, missing, moved])
    for (const on of Object.values(cards)) {
      // After its second registration, `revived` may get each delivery twice.
      if (box === revived && on === cards.bare) continue;
      for (const { payload } of of(box, on)) {
        const topic = payload?.WebhookTopic as DeliveryTopic;
        const attempts = of(box, on, topic);
        if (attempts.length > Math.max(1, of(boxes.signed, on, topic).length)) return attempts;
      }
    }
  return [];
}
