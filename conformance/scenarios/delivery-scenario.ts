import { setTimeout as pause } from 'node:timers/promises';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import type { Arrival, Mailbox } from '../http/receiver.ts';
import { adjustFunctions, mustAdjust } from './adjustments.ts';
import { type Card, voidByCode, voidById } from './cards.ts';
import { DeliveryWatch, type ListLook, receiverOf, type Topic } from './delivery-watch.ts';
import { bareFields, farExpiry, giftedFields, notifiedFields } from './shared-cards.ts';
import { deleteWebhook, getWebhookList, idsOf, register, removeAll } from './webhooks.ts';

/** Five cards, because every card is money, and all deliveries about them to eleven webhooks. */
export interface DeliveryScenario {
  readonly boxes: Boxes;
  readonly cards: DeliveryCards;
  /** The sum of top-ups of the gifted card, and whether one was made by ID. */
  readonly toppedUp: number;
  readonly adjustedById: boolean;
  readonly looks: readonly ListLook[];
  /** Whether the webhook `revived` was disabled, and so registered again before the last void. */
  readonly wasRevived: boolean;
  /** The response to deleting a disabled webhook. */
  readonly deletionOfDisabled: Answer | undefined;
  /** IDs of `revived` in the list: before it was disabled, and after it was registered again. */
  readonly revivedIds: { readonly before: readonly (string | number)[]; readonly after: readonly (string | number)[] };
  /** Deliveries about the five cards to one mailbox; of one card, or of one card and topic. */
  of(box: Mailbox, on?: Card, topic?: Topic): readonly Arrival[];
}

export interface DeliveryCards {
  /** A gift with all fields; topped up, redeemed, voided by code. */
  readonly gifted: Card;
  /** Not a gift, sent to a recipient; topped up, fully redeemed, voided by ID. */
  readonly notified: Card;
  /** A gift with emails disabled; fully redeemed and voided. */
  readonly quiet: Card;
  /** A gift that is scheduled for much later; voided. */
  readonly later: Card;
  /** A card with nothing but a balance and a code; voided. */
  readonly bare: Card;
}

export const tokens = {
  signed: 'first+token/for=signing',
  content: 'another token & longer than the first',
  twin: 'a token of one of two webhooks',
  failing: 'a third token, '.repeat(6),
} as const;

/** The number of failed deliveries after which a webhook is disabled. */
export const mostFailures = clauseValues['webhook.disabled-after-failures'];

interface Reply {
  readonly status: number;
  readonly location?: string;
  readonly after?: Promise<unknown>;
}

const always = (status: number) => (): Reply => ({ status });

/** The rarest first: if they all count as failures, the webhook is disabled. */
const otherSuccesses = [203, 206, 226, 299, 207, 208, 201, 202, 204];

/** How the mailboxes reply to deliveries about the five cards. `before` is how many of these the mailbox received before. */
const repliesOf = (elsewhere: Mailbox, released: AbortSignal) => ({
  /** With a token. */
  signed: always(200),
  /** Registered twice at one URL with a query, once with a token. */
  twin: always(200),
  /** With another token. */
  content: (before: number): Reply => ({ status: otherSuccesses[before % otherSuccesses.length] ?? 200 }),
  /** With a token that is longer than a block of the hash. */
  failing: always(500),
  /** Registered again once it is disabled. */
  revived: always(503),
  relapsing: (before: number): Reply => ({ status: before === 1 ? 200 : 500 }),
  missing: always(404),
  moved: (): Reply => ({ status: 307, location: elsewhere.url }),
  /** Replies late to the first delivery, but sooner than any time-out of deliveries. */
  slow: (before: number): Reply =>
    before > 0 ? { status: 200 } : { status: 200, after: pause(4_000, undefined, { signal: released }).catch(() => undefined) },
  /** Deleted before the voids. */
  deleted: always(200),
});

/** The mailboxes by name. No webhook is registered at `elsewhere`, to which `moved` redirects. */
type Boxes = Readonly<Record<keyof ReturnType<typeof repliesOf> | 'elsewhere', Mailbox>>;

/** To everything else the mailboxes reply with 200. */
async function openBoxes(t: Trial, watch: DeliveryWatch, released: AbortSignal): Promise<Boxes> {
  const receiver = receiverOf(t);
  const elsewhere = await receiver.mailbox('elsewhere');
  const boxes: Record<string, Mailbox> = { elsewhere };
  for (const [name, reply] of Object.entries(repliesOf(elsewhere, released)))
    boxes[name] = await receiver.mailbox(name, name === 'twin' ? '?from=conformance&twice=yes' : '', (arrival, mailbox) =>
      watch.isWatched(arrival) ? reply(watch.of(mailbox).length) : { status: 200 },
    );
  return boxes as Boxes;
}

/** The scenario of the run, which happens once. Untested `no-receiver` if nothing is delivered. */
export function deliveryScenario(t: Trial): Promise<DeliveryScenario> {
  receiverOf(t);
  return t.shared('deliveries about five cards', async (shared) => {
    const watch = new DeliveryWatch(shared);
    const slow = new AbortController();
    const boxes = await openBoxes(shared, watch, slow.signal);
    const all = Object.values(boxes).filter((box) => box !== boxes.elsewhere);
    try {
      await registerAll(shared, boxes);
      const scenario: Scenario = { t: shared, watch, boxes, all, releaseSlow: () => slow.abort() };
      return { ...(await play(scenario)), boxes, looks: watch.looks, of: (...about) => watch.of(...about) };
    } finally {
      slow.abort();
      await removeAll(
        shared,
        all.map(({ url }) => url),
      );
    }
  });
}

/** The parts of the scenario while it happens. */
interface Scenario {
  readonly t: Trial;
  readonly watch: DeliveryWatch;
  readonly boxes: Boxes;
  /** The mailboxes that have webhooks. */
  readonly all: readonly Mailbox[];
  readonly releaseSlow: () => void;
}

async function play(scenario: Scenario): Promise<Omit<DeliveryScenario, 'boxes' | 'looks' | 'of'>> {
  const { t, watch, boxes, all } = scenario;
  const first = await getWebhookList(t);
  const [failingId] = idsOf(t, first, boxes.failing.url);
  const cards = await issueCards(scenario);
  const { gifted, notified, quiet } = cards;
  const adjusts = await adjustFunctions(t);
  for (const adjust of adjusts) mustSucceed(await adjust(t, gifted, 0.25), 'adjusting a card');
  await mustAdjust(t, gifted, -0.25);
  await mustAdjust(t, notified, -0.75);
  await mustAdjust(t, quiet, -0.5);
  await watch.look(all);
  const after = await voidCards(scenario, cards);
  await watch.lateArrivals();
  await lookAtLast(scenario, cards.bare);
  const isDisabled = watch.looks.at(-1)?.listed.has(boxes.failing) === false;
  return {
    cards,
    toppedUp: 0.25 * adjusts.length,
    adjustedById: adjusts.length > 1,
    wasRevived: after !== undefined,
    deletionOfDisabled: isDisabled && failingId !== undefined ? await deleteWebhook(t, failingId) : undefined,
    revivedIds: { before: idsOf(t, first, boxes.revived.url), after: after ?? [] },
  };
}

/** Waits for the delivery at every webhook that the list showed last. */
function arrival({ watch, all }: Scenario, on: Card, topic: Topic, except?: Mailbox): Promise<void> {
  const enabled = [...(watch.looks.at(-1)?.listed ?? all)].filter((box) => box !== except);
  return watch.arrival(enabled, on, topic);
}

async function issueCards(scenario: Scenario): Promise<DeliveryCards> {
  const { t, watch, boxes } = scenario;
  const gifted = await watch.createCard(giftedFields);
  await arrival(scenario, gifted, 'giftcard/gifted');
  const notified = await watch.createCard(notifiedFields);
  await arrival(scenario, notified, 'giftcard/updated', boxes.slow);
  await mustAdjust(t, notified, 0.25);
  await removeAll(t, [boxes.deleted.url]);
  scenario.releaseSlow();
  const quiet = await watch.createCard({ ...giftedFields, balance: 0.5, disableEmails: true });
  const later = await watch.createCard({ ...giftedFields, balance: 0.5, giftScheduledForUtc: farExpiry(17) });
  return { gifted, notified, quiet, later, bare: await watch.createCard(bareFields) };
}

/** Voids the cards. Before the last, registers `revived` again if it is disabled, and returns the IDs that the list shows for it then. */
async function voidCards(scenario: Scenario, cards: DeliveryCards): Promise<readonly (string | number)[] | undefined> {
  const { t, watch, boxes, all } = scenario;
  const { signed, failing, revived } = boxes;
  let revivedIds: readonly (string | number)[] | undefined;
  for (const on of Object.values(cards)) {
    if (on === cards.bare && watch.looks.at(-1)?.listed.has(revived) === false) {
      await registerBox(t, revived);
      revivedIds = idsOf(t, await getWebhookList(t), revived.url);
    }
    mustSucceed(on === cards.notified ? await voidById(t, on.id) : await voidByCode(t, on.code), `voiding ${on.name}`);
    await arrival(scenario, on, 'giftcard/voided');
    // The response and a second delivery are open. The voids that follow show when it would have arrived.
    if (on === cards.gifted) await voidByCode(t, on.code);
    if (all.every(({ arrivals }) => arrivals.length === 0)) {
      const { origin } = new URL(signed.url);
      throw new Untested('no-receiver', `nothing arrived: the target sends no deliveries, or does not reach ${origin}`);
    }
    if (watch.of(failing).length < mostFailures) await watch.look(all, on);
    else await watch.lookUntilDisabled(revivedIds ? [failing] : [failing, revived], all, on);
  }
  return revivedIds;
}

/** A last look at the list. Webhooks with enough failures get more time to be disabled. */
async function lookAtLast({ watch, boxes, all }: Scenario, last: Card): Promise<void> {
  const { failing, relapsing } = boxes;
  const isStillListed = watch.looks.at(-1)?.listed.has(failing) && watch.of(failing).length >= mostFailures;
  const overdue = [...(watch.of(relapsing).length > mostFailures ? [relapsing] : []), ...(isStillListed ? [failing] : [])];
  if (overdue.length > 0) await watch.lookUntilDisabled(overdue, all, last);
  else await watch.look(all, last);
  // Deliveries that must not come get some time.
  await pause(250);
}

async function registerAll(t: Trial, boxes: Boxes): Promise<void> {
  const tokenOf: Partial<Record<string, string>> = { ...tokens, twin: undefined };
  for (const [name, box] of Object.entries(boxes)) if (box !== boxes.elsewhere) await registerBox(t, box, tokenOf[name]);
  await registerBox(t, boxes.twin, tokens.twin);
}

async function registerBox(t: Trial, box: Mailbox, token?: string): Promise<void> {
  const { answer, entry } = await register(t, box.url, token === undefined ? {} : { requestHeaderVerificationToken: token });
  const { protocol, origin } = new URL(box.url);
  if (answer.status >= 400 && answer.status < 500 && protocol === 'http:')
    throw new Untested('no-receiver', `the target accepts no webhook at ${origin}: it answered ${answer.status}`);
  mustSucceed(answer, 'registering a webhook');
  t.run.ledger.markRemoving(entry);
}
