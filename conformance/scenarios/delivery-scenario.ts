import { clauseValues } from '../../openapi/generated/clauses.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Arrival, Mailbox, Reply } from '../http/receiver.ts';
import { adjustFunctions, mustAdjust } from './adjustments.ts';
import { type Card, voidByCode, voidById } from './cards.ts';
import { DeliveryWatch } from './deliveries.ts';
import { bareFields, farExpiry, giftedFields, notifiedFields } from './shared-cards.ts';
import { deleteWebhook, getWebhookList, idsOf, isListedAt, removeAll } from './webhooks.ts';

export type DeliveryScenario = Awaited<ReturnType<typeof deliveryScenario>>;

export type CardName = keyof DeliveryScenario['cards'];

/** The state of the list of webhooks at one time. `failures` counts the failed deliveries to the webhook `failing` until then. */
interface ListLook {
  /** The card that the scenario voided last. */
  readonly voided: Card | undefined;
  readonly listed: ReadonlySet<Mailbox>;
  readonly failures: number;
  /** The failed deliveries whose replies were sent before the list was read. */
  readonly failuresBefore: number;
}

export const tokens = {
  signed: 'first+token/for=signing',
  content: 'another token & longer than the first',
  twin: 'a token of one of two webhooks',
  failing: 'a third token, '.repeat(6),
} as const;

export const mostFailures = clauseValues['webhook.disabled-after-failures'];

const always = (status: number) => (): Reply => ({ status });

/** Statuses of success other than 200, the rarest first. A target that wrongly counts these statuses as failures disables the webhook `content`. */
const otherSuccesses = [203, 206, 226, 299, 207, 208, 201, 202, 204];

/** Opens the mailboxes and registers their webhooks. Most mailboxes are named after their replies to deliveries about the five cards. */
async function openBoxes(watch: DeliveryWatch) {
  /** The mailbox `moved` redirects to this mailbox. No webhook is registered here. */
  const elsewhere = await watch.receiver.mailbox('elsewhere');
  const signed = await watch.open('signed', { tokens: [tokens.signed] });
  /** A mailbox with two webhooks at one URL. The URL has a query. Only the second webhook has a token. */
  const twin = await watch.open('twin', { query: '?from=conformance&twice=yes', tokens: [undefined, tokens.twin] });
  const hasVoid = () => watch.of(signed).some(({ payload }) => payload?.WebhookTopic === 'giftcard/voided');
  const untilVoid = (): Reply => ({ status: 200, after: watch.receiver.until(() => hasVoid() || watch.isStarving, 4_000) });
  return {
    elsewhere,
    signed,
    twin,
    content: await watch.open('content', {
      tokens: [tokens.content],
      reply: (before) => ({ status: otherSuccesses[before % otherSuccesses.length] ?? 200 }),
    }),
    /** The token is longer than 64 bytes. HMAC-SHA256 hashes such a key before it uses the key. */
    failing: await watch.open('failing', { tokens: [tokens.failing], enough: mostFailures, reply: always(500) }),
    /** A webhook that the run registers again after it is disabled. */
    revived: await watch.open('revived', { enough: mostFailures, reply: always(503) }),
    relapsing: await watch.open('relapsing', {
      enough: mostFailures + 1,
      reply: (before) => ({ status: before === 1 ? 200 : 500 }),
    }),
    missing: await watch.open('missing', { reply: always(404) }),
    moved: await watch.open('moved', { reply: () => ({ status: 307, location: elsewhere.url }) }),
    /** A webhook that replies to its first delivery late, but before a delivery can time out. */
    slow: await watch.open('slow', { reply: (before) => (before > 0 ? { status: 200 } : untilVoid()) }),
    /** A webhook that the run deletes before the voids. */
    deleted: await watch.open('deleted'),
  };
}

/** Creates and voids five cards, and collects their deliveries to eleven webhooks. A run does this once. Throws Untested `no-receiver` if nothing arrives. */
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

interface Scene {
  readonly t: Trial;
  readonly watch: DeliveryWatch;
  readonly boxes: Awaited<ReturnType<typeof openBoxes>>;
  readonly looks: ListLook[];
  /** The mailboxes whose webhooks the target must disable after enough failures. */
  failing: readonly Mailbox[];
  /** True once `revived` is registered again. */
  isRevived: boolean;
  /** Milliseconds to wait until a webhook is disabled. */
  patience: number;
}

async function play(t: Trial, watch: DeliveryWatch) {
  const boxes = await openBoxes(watch);
  const looks: ListLook[] = [];
  const scene: Scene = {
    t,
    watch,
    boxes,
    looks,
    failing: [boxes.failing, boxes.relapsing, boxes.revived],
    isRevived: false,
    patience: 10_000,
  };
  const first = await getWebhookList(t);
  const [failingId] = idsOf(t, first, boxes.failing.url);
  const cards = await issueCards(scene);
  const { gifted, notified, quiet, bare } = cards;
  const adjusts = await adjustFunctions(t);
  for (const adjust of adjusts) mustSucceed(await adjust(t, gifted, 0.25), 'adjusting a card');
  await mustAdjust(t, gifted, -0.25);
  await mustAdjust(t, notified, -0.75);
  await mustAdjust(t, quiet, -0.5);
  await look(scene, undefined);
  await voidCard(scene, gifted);
  // A target may send giftcard/voided for a second void, too. When the deliveries of the next voids have arrived, such a delivery has arrived, too.
  await voidByCode(t, gifted.code);
  await voidCard(scene, notified, true);
  await voidCard(scene, quiet);
  await voidCard(scene, cards.later);
  const after = isListed(scene, boxes.revived) ? undefined : await registerAgain(scene);
  await voidCard(scene, bare);
  await watch.lateArrivals();
  await look(scene, bare);
  // A wrong target may send deliveries that it must not send. The pause gives these deliveries time to arrive.
  await watch.pause(250);
  const canDelete = failingId !== undefined && !isListed(scene, boxes.failing);
  return {
    boxes,
    cards,
    looks,
    /** The number of top-ups of the gifted card by 0.25: one by code, and one by ID if the run can adjust by ID. */
    topUps: adjusts.length,
    deletionOfDisabled: canDelete ? await deleteWebhook(t, failingId) : undefined,
    /** IDs of `revived` in the list, before and after its second registration. Undefined if the target did not disable the webhook in time. */
    revivedIds: after && { before: idsOf(t, first, boxes.revived.url), after },
    of: (...about: Parameters<typeof watch.of>) => watch.of(...about),
    missing: (...about: Parameters<typeof watch.missing>) => watch.missing(...about),
  };
}

const isListed = ({ looks }: Scene, box: Mailbox) => looks.at(-1)?.listed.has(box) !== false;

/** Returns the mailboxes where the run awaits a delivery before it causes the next event. Excludes disabled webhooks, and three mailboxes that only probes read. */
function awaited(scene: Scene): Mailbox[] {
  const { slow, missing, moved, revived } = scene.boxes;
  const isAwaited = (box: Mailbox) => isListed(scene, box) || (box === revived && scene.isRevived);
  return scene.watch.boxes.filter((box) => ![slow, missing, moved].includes(box) && isAwaited(box));
}

/** Returns the failed deliveries to a mailbox of `failing`. */
const failuresOf = ({ watch, boxes }: Scene, box: Mailbox): readonly Arrival[] =>
  watch.of(box).slice(box === boxes.relapsing ? 1 : 0);

async function issueCards(scene: Scene) {
  const { t, watch, boxes } = scene;
  const gifted = await watch.createCard(giftedFields);
  await watch.arrival(gifted, 'giftcard/gifted', awaited(scene));
  const notified = await watch.createCard(notifiedFields);
  await watch.arrival(notified, 'giftcard/updated', awaited(scene));
  await mustAdjust(t, notified, 0.25);
  await removeAll(t, [boxes.deleted.url]);
  return {
    /** A gift with all fields, topped up, redeemed, and voided by code. */
    gifted,
    /** A card with a notification. Later topped up, fully redeemed, then voided by ID. */
    notified,
    /** A gift with emails disabled. Later fully redeemed, then voided. */
    quiet: await watch.createCard({ ...giftedFields, balance: 0.5, disableEmails: true }),
    /** A gift with a date in the far future. Voided before this date. */
    later: await watch.createCard({ ...giftedFields, balance: 0.5, giftScheduledForUtc: farExpiry(17) }),
    /** A card with only a balance and a code. Later voided. */
    bare: await watch.createCard(bareFields),
  };
}

async function voidCard(scene: Scene, on: Card, byId = false): Promise<void> {
  const { t, watch } = scene;
  mustSucceed(byId ? await voidById(t, on.id) : await voidByCode(t, on.code), `voiding ${on.name}`);
  await watch.arrival(on, 'giftcard/voided', awaited(scene));
  if (!watch.hasDelivered) {
    t.reliesOn(watch.missing());
    throw new Untested('no-receiver', 'nothing arrived: the target sends no deliveries, or does not reach the receiver');
  }
  await look(scene, on);
}

/** Registers `revived` again and returns its IDs in the list. */
async function registerAgain(scene: Scene): Promise<(string | number)[]> {
  const { t, watch, boxes } = scene;
  scene.failing = [boxes.failing, boxes.relapsing];
  scene.isRevived = true;
  await watch.register(boxes.revived);
  return idsOf(t, await getWebhookList(t), boxes.revived.url);
}

/** Reads the list until every webhook with enough failures is gone, or the time is over. The specification does not say how soon a failure counts. */
async function look(scene: Scene, voided: Card | undefined): Promise<void> {
  const { t, watch, boxes, looks } = scene;
  const failed = (box: Mailbox) => failuresOf(scene, box).filter(({ isAnswered }) => isAnswered).length;
  const end = performance.now() + scene.patience;
  for (let ms = 50; ; ms = Math.min(ms * 2, 1_000)) {
    const failuresBefore = failed(boxes.failing);
    const full = scene.failing.filter((box) => failed(box) >= mostFailures && isListed(scene, box));
    const json = await getWebhookList(t);
    const listed = new Set(watch.boxes.filter(({ url }) => isListedAt(t, json, url)));
    const isOverdue = full.some((box) => listed.has(box));
    // A webhook that was not disabled in time may never be disabled, so later waits are short.
    if (isOverdue && performance.now() > end) scene.patience = 3_000;
    else if (isOverdue) {
      await watch.pause(ms);
      continue;
    }
    if (looks.length > 0 && looks.at(-1)?.voided === voided) looks.pop();
    looks.push({ voided, listed, failures: failuresOf(scene, boxes.failing).length, failuresBefore });
    return;
  }
}
