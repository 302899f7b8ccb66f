import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import type { Arrival, Mailbox } from '../http/receiver.ts';
import { booked, ways } from './adjustments.ts';
import { type Boxes, boxesAt, mostFailures, tokens } from './boxes.ts';
import { voidByCode, voidById } from './card-requests.ts';
import { type Card, card } from './cards.ts';
import { receiverOf } from './receiver-of.ts';
import { farExpiry } from './shared-cards.ts';
import { type Look, type Topic, Watch } from './watch.ts';
import { deleteWebhook, idsOf, listed, register, removeAll } from './webhooks.ts';

export interface Cards {
  /** Sent as a gift, with everything on it; topped up, redeemed, voided by code. */
  readonly gifted: Card;
  /** Sent to a recipient and no gift; topped up, redeemed whole, voided by ID. */
  readonly notified: Card;
  /** A gift whose emails are disabled, redeemed whole, and one for much later; both voided. */
  readonly quiet: Card;
  readonly later: Card;
  /** Nothing but a balance and a code; voided. */
  readonly bare: Card;
}

/** Five cards, because every card is money, and what happened to them while a dozen webhooks were registered. */
export interface Season {
  readonly boxes: Boxes;
  readonly cards: Cards;
  /** By how much the gifted one was topped up, in all, and how: by code, or by ID as well. */
  readonly toppedUp: number;
  readonly adjustedById: boolean;
  readonly looks: readonly Look[];
  /** Whether the webhook that was to be disabled was, so that it was registered again before the last void. */
  readonly wasRevived: boolean;
  /** Whether a second delivery was on its way to the webhook that was deleted, and had not come. */
  readonly hadWaiting: boolean;
  /** What deleting a disabled webhook answered. */
  readonly deletionOfDisabled: Answer | undefined;
  /** IDs of the webhook that was registered again: of the disabled one, and of those that were listed then. */
  readonly revivedIds: { readonly before: readonly (string | number)[]; readonly after: readonly (string | number)[] };
  /** Deliveries about the five cards, of one box, card and topic. */
  of(box: Mailbox, on?: Card, topic?: Topic): readonly Arrival[];
}

export const notifiedFields = {
  balance: 0.5,
  shouldSendNotification: true,
  disableEmails: false,
  recipientName: 'Conformance Recipient',
  recipientEmailAddress: 'recipient@example.com',
} as const;

export const bareFields = { balance: 0.5 } as const;

/** Letters beyond ASCII show whether a signature is over bytes. */
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

/** The season of the run, which is made once. Untested `no-receiver` when nothing arrived anywhere. */
export async function season(t: Trial): Promise<Season> {
  const receiver = receiverOf(t);
  return t.shared('the season of deliveries', async (shared) => {
    const watch = new Watch(shared, receiver);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Whatever happens, nobody is kept waiting for as long as a time-out may be.
    const deadline = setTimeout(release, 4_000);
    try {
      return await play(shared, watch, await boxesAt(receiver, { held, isOurs: (arrival) => watch.isOurs(arrival) }), release);
    } finally {
      clearTimeout(deadline);
      release();
    }
  });
}

async function play(t: Trial, watch: Watch, boxes: Boxes, release: () => void): Promise<Season> {
  const { signed, twin, content, failing, revived, relapsing, slow, leaving, deleted, elsewhere } = boxes;
  const all = Object.values(boxes).filter((box) => box !== elsewhere);
  const urls = all.map(({ url }) => url);
  const own = async (fields: object) => watch.created(await card(t, { ...fields, code: watch.expect(t.run.ledger.fresh()) }));
  const arrived = (on: Card, topic: Topic, held: readonly Mailbox[] = []) => {
    const enabled = [...(watch.looks.at(-1)?.listed ?? all)].filter((box) => !held.includes(box));
    return watch.arrived(signed, enabled, on, topic);
  };

  try {
    for (const box of all)
      await registered(
        t,
        box,
        box === signed ? tokens.signed : box === content ? tokens.content : box === failing ? tokens.failing : undefined,
      );
    await registered(t, twin, tokens.twin);
  } catch (error) {
    // There may be a limit, and what stands would be in the way of other checks.
    await removeAll(t, urls);
    throw error;
  }
  const first = await listed(t);
  const ids = { failing: idsOf(t, first, failing.url), revived: idsOf(t, first, revived.url) };

  const gifted = await own(giftedFields);
  await arrived(gifted, 'giftcard/gifted');
  const notified = await own(notifiedFields);
  await arrived(notified, 'giftcard/updated', [slow, leaving]);
  // What waits behind an unanswered delivery may show the card as it is when it is sent at last.
  await booked(t, notified, 0.25);
  const hadWaiting = watch.of(leaving).length === 1 && watch.of(leaving)[0]?.isAnswered === false;
  await removeAll(t, [leaving.url, deleted.url]);
  release();

  const quiet = await own({ ...giftedFields, balance: 0.5, disableEmails: true });
  const later = await own({ ...giftedFields, balance: 0.5, giftScheduledForUtc: farExpiry(17) });
  const bare = await own(bareFields);
  const adjusts = await ways(t);
  for (const adjust of adjusts) arranged(await adjust(t, gifted, 0.25), 'adjusting a card');
  await booked(t, gifted, -0.25);
  // All of both, of which only one has told anybody anything.
  await booked(t, notified, -0.75);
  await booked(t, quiet, -0.5);
  await watch.look(all);

  let wasRevived = false;
  let revivedIds: Season['revivedIds']['after'] = [];
  for (const on of [gifted, notified, quiet, later, bare]) {
    if (on === bare && watch.looks.at(-1)?.listed.has(revived) === false) {
      wasRevived = true;
      await registered(t, revived);
      revivedIds = idsOf(t, await listed(t), revived.url);
    }
    const voids = on === notified ? await voidById(t, on.id) : await voidByCode(t, on.code);
    arranged(voids, `voiding ${on.name}`);
    await arrived(on, 'giftcard/voided');
    // What that answers, and whether it is delivered, is open; the voids that follow show when it would have arrived.
    if (on === gifted) await voidByCode(t, on.code);
    if (all.every(({ arrivals }) => arrivals.length === 0)) {
      await removeAll(t, urls);
      throw silent(signed);
    }
    const failures = watch.of(failing).length;
    if (failures >= mostFailures) await watch.lookForDisabling(wasRevived ? [failing] : [failing, revived], all, on);
    else await watch.look(all, on);
  }
  await watch.latecomers();
  const isStillListed = watch.looks.at(-1)?.listed.has(failing) && watch.of(failing).length >= mostFailures;
  const gone = [...(watch.of(relapsing).length > mostFailures ? [relapsing] : []), ...(isStillListed ? [failing] : [])];
  if (gone.length > 0) await watch.lookForDisabling(gone, all, bare);
  else await watch.look(all, bare);
  await watch.silence();
  const [id] = ids.failing;
  const isDisabled = watch.looks.at(-1)?.listed.has(failing) === false;
  const deletionOfDisabled = isDisabled && id !== undefined ? await deleteWebhook(t, id) : undefined;
  await removeAll(t, urls);
  return {
    boxes,
    cards: { gifted, notified, quiet, later, bare },
    toppedUp: 0.25 * adjusts.length,
    adjustedById: adjusts.length > 1,
    looks: watch.looks,
    wasRevived,
    hadWaiting,
    deletionOfDisabled,
    revivedIds: { before: ids.revived, after: revivedIds },
    of: (box, on, topic) => watch.of(box, on, topic),
  };
}

async function registered(t: Trial, box: Mailbox, token?: string): Promise<void> {
  const { answer, entry } = await register(t, box.url, token === undefined ? {} : { requestHeaderVerificationToken: token });
  if (answer.status >= 400 && answer.status < 500 && new URL(box.url).protocol === 'http:')
    throw new Untested('no-receiver', `the target takes no webhook at ${new URL(box.url).origin}: it answered ${answer.status}`);
  arranged(answer, 'registering a webhook');
  // Those that fail are disabled.
  t.run.ledger.mayBeGone(entry);
}

const silent = ({ url }: Mailbox) =>
  new Untested('no-receiver', `nothing arrived: the target sends no deliveries, or does not reach ${new URL(url).origin}`);
