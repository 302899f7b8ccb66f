import { clauseValues } from '../../openapi/generated/clauses.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';
import { adjustFunctions, mustAdjust } from './adjustments.ts';
import { type Card, card, voidByCode, voidById } from './cards.ts';
import { DeliveryWatch, type ListLook, receiverOf, type Topic } from './delivery-watch.ts';
import { farExpiry } from './shared-cards.ts';
import { deleteWebhook, idsOf, listed, register, removeAll } from './webhooks.ts';

/** Five cards, because every card is money, and everything that was delivered about them to eleven webhooks. */
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

/** Mailboxes by how they respond to deliveries about the five cards. To everything else they respond with 200. */
interface Boxes {
  /** 200; with a token. Waits look at this one first. */
  readonly signed: Mailbox;
  /** 200; registered twice at one URL with a query, once with a token. */
  readonly twin: Mailbox;
  /** Another 2xx each time; with another token. */
  readonly content: Mailbox;
  /** 500; with a token that is longer than a block of the hash. */
  readonly failing: Mailbox;
  /** 503; registered again once it is disabled. */
  readonly revived: Mailbox;
  /** 500, but 200 to the second delivery. */
  readonly relapsing: Mailbox;
  /** 404. */
  readonly missing: Mailbox;
  /** 307 to `elsewhere`, where no webhook is registered. */
  readonly moved: Mailbox;
  readonly elsewhere: Mailbox;
  /** 200, to the first delivery with a delay. */
  readonly slow: Mailbox;
  /** 200; deleted before the voids. */
  readonly deleted: Mailbox;
}

export const tokens = {
  signed: 'first+token/for=signing',
  content: 'another token & longer than the first',
  twin: 'a token of one of two webhooks',
  failing: 'a third token, '.repeat(6),
} as const;

/** The number of failed deliveries after which a webhook is disabled. */
export const mostFailures = clauseValues['webhook.disabled-after-failures'];

/** The rarest first: if they all count as failures, the webhook is disabled. */
const otherSuccesses = [203, 206, 226, 299, 207, 208, 201, 202, 204];

async function openBoxes(receiver: Receiver, watch: DeliveryWatch, released: Promise<unknown>): Promise<Boxes> {
  type Respond = (place: number) => { status: number; location?: string; after?: Promise<unknown> };
  const box = (name: string, respond: Respond, query = '') =>
    receiver.mailbox(name, query, (arrival, { arrivals }) =>
      watch.isWatched(arrival) ? respond(arrivals.filter((each) => watch.isWatched(each)).length) : { status: 200 },
    );
  const always = (status: number) => () => ({ status });
  const elsewhere = await receiver.mailbox('elsewhere');
  return {
    signed: await box('signed', always(200)),
    twin: await box('twin', always(200), '?from=conformance&twice=yes'),
    content: await box('content', (place) => ({ status: otherSuccesses[place % otherSuccesses.length] ?? 200 })),
    failing: await box('failing', always(500)),
    revived: await box('revived', always(503)),
    relapsing: await box('relapsing', (place) => ({ status: place === 1 ? 200 : 500 })),
    missing: await box('missing', always(404)),
    moved: await box('moved', () => ({ status: 307, location: elsewhere.url })),
    elsewhere,
    slow: await box('slow', (place) => (place === 0 ? { status: 200, after: released } : { status: 200 })),
    deleted: await box('deleted', always(200)),
  };
}

export const notifiedFields = {
  balance: 0.5,
  shouldSendNotification: true,
  disableEmails: false,
  recipientName: 'Conformance Recipient',
  recipientEmailAddress: 'recipient@example.com',
} as const;

export const bareFields = { balance: 0.5 } as const;

/** With letters beyond ASCII, which show whether a signature covers bytes. */
export const giftedFields = {
  ...notifiedFields,
  balance: 0.75,
  sendAsGift: true,
  recipientName: 'Zoë Recipient',
  buyerName: 'Björn Buyer',
  buyerEmailAddress: 'buyer@example.com',
  giftMessage: 'For you ✓ <&> "quoted" 🎁\nand yours',
  isPromotional: true,
  expiresAtUtc: farExpiry(18),
} as const;

/** The scenario of the run, which happens once. Untested `no-receiver` if nothing is delivered. */
export async function deliveryScenario(t: Trial): Promise<DeliveryScenario> {
  const receiver = receiverOf(t);
  return t.shared('deliveries about five cards', async (shared) => {
    const watch = new DeliveryWatch(shared, receiver);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Shorter than any time-out of deliveries.
    const deadline = setTimeout(release, 4_000);
    try {
      return await play(shared, watch, await openBoxes(receiver, watch, released), release);
    } finally {
      clearTimeout(deadline);
      release();
    }
  });
}

async function play(t: Trial, watch: DeliveryWatch, boxes: Boxes, release: () => void): Promise<DeliveryScenario> {
  const { signed, failing, revived, relapsing, slow, deleted, elsewhere } = boxes;
  const all = Object.values(boxes).filter((box) => box !== elsewhere);
  const urls = all.map(({ url }) => url);
  const watched = async (fields: object) =>
    watch.watchCard(await card(t, { ...fields, code: watch.watchCode(t.run.ledger.fresh()) }));
  const arrived = (on: Card, topic: Topic, held?: Mailbox) => {
    const enabled = [...(watch.looks.at(-1)?.listed ?? all)].filter((box) => box !== held);
    return watch.arrived(signed, enabled, on, topic);
  };

  await registerAll(t, boxes, urls);
  const first = await listed(t);
  const [failingId] = idsOf(t, first, failing.url);
  const revivedBefore = idsOf(t, first, revived.url);

  const gifted = await watched(giftedFields);
  await arrived(gifted, 'giftcard/gifted');
  const notified = await watched(notifiedFields);
  await arrived(notified, 'giftcard/updated', slow);
  await mustAdjust(t, notified, 0.25);
  await removeAll(t, [deleted.url]);
  release();

  const quiet = await watched({ ...giftedFields, balance: 0.5, disableEmails: true });
  const later = await watched({ ...giftedFields, balance: 0.5, giftScheduledForUtc: farExpiry(17) });
  const bare = await watched(bareFields);
  const adjusts = await adjustFunctions(t);
  for (const adjust of adjusts) mustSucceed(await adjust(t, gifted, 0.25), 'adjusting a card');
  await mustAdjust(t, gifted, -0.25);
  await mustAdjust(t, notified, -0.75);
  await mustAdjust(t, quiet, -0.5);
  await watch.look(all);

  let wasRevived = false;
  let revivedAfter: readonly (string | number)[] = [];
  for (const on of [gifted, notified, quiet, later, bare]) {
    if (on === bare && watch.looks.at(-1)?.listed.has(revived) === false) {
      wasRevived = true;
      await registerBox(t, revived);
      revivedAfter = idsOf(t, await listed(t), revived.url);
    }
    mustSucceed(on === notified ? await voidById(t, on.id) : await voidByCode(t, on.code), `voiding ${on.name}`);
    await arrived(on, 'giftcard/voided');
    // The response and a second delivery are open. The voids that follow show when it would have arrived.
    if (on === gifted) await voidByCode(t, on.code);
    if (all.every(({ arrivals }) => arrivals.length === 0)) {
      await removeAll(t, urls);
      const origin = new URL(signed.url).origin;
      throw new Untested('no-receiver', `nothing arrived: the target sends no deliveries, or does not reach ${origin}`);
    }
    if (watch.of(failing).length < mostFailures) await watch.look(all, on);
    else await watch.lookUntilDisabled(wasRevived ? [failing] : [failing, revived], all, on);
  }
  await watch.waitForLate();
  const isStillListed = watch.looks.at(-1)?.listed.has(failing) && watch.of(failing).length >= mostFailures;
  const overdue = [...(watch.of(relapsing).length > mostFailures ? [relapsing] : []), ...(isStillListed ? [failing] : [])];
  if (overdue.length > 0) await watch.lookUntilDisabled(overdue, all, bare);
  else await watch.look(all, bare);
  await watch.silence();
  const isDisabled = watch.looks.at(-1)?.listed.has(failing) === false;
  const deletionOfDisabled = isDisabled && failingId !== undefined ? await deleteWebhook(t, failingId) : undefined;
  await removeAll(t, urls);
  return {
    boxes,
    cards: { gifted, notified, quiet, later, bare },
    toppedUp: 0.25 * adjusts.length,
    adjustedById: adjusts.length > 1,
    looks: watch.looks,
    wasRevived,
    deletionOfDisabled,
    revivedIds: { before: revivedBefore, after: revivedAfter },
    of: (box, on, topic) => watch.of(box, on, topic),
  };
}

async function registerAll(t: Trial, boxes: Boxes, urls: readonly string[]): Promise<void> {
  try {
    for (const [name, box] of Object.entries(boxes))
      if (box !== boxes.elsewhere)
        await registerBox(t, box, box === boxes.twin ? undefined : (tokens as Partial<Record<string, string>>)[name]);
    await registerBox(t, boxes.twin, tokens.twin);
  } catch (error) {
    // The target may limit the number of webhooks. Other checks need some, too.
    await removeAll(t, urls);
    throw error;
  }
}

async function registerBox(t: Trial, box: Mailbox, token?: string): Promise<void> {
  const { answer, entry } = await register(t, box.url, token === undefined ? {} : { requestHeaderVerificationToken: token });
  const { protocol, origin } = new URL(box.url);
  if (answer.status >= 400 && answer.status < 500 && protocol === 'http:')
    throw new Untested('no-receiver', `the target accepts no webhook at ${origin}: it answered ${answer.status}`);
  mustSucceed(answer, 'registering a webhook');
  t.run.ledger.mayBeGone(entry);
}
