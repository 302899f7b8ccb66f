import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Arrival } from '../http/receiver.ts';
import { voidByCode } from './card-requests.ts';
import { event } from './events.ts';
import { receiverOf } from './receiver-of.ts';
import { register, removeAll } from './webhooks.ts';

type Payload = Readonly<Record<string, unknown>>;

/** What a webhook was told of the cards that an event's automations issued, and that were then voided. */
interface IssuedDeliveries {
  readonly properties: Readonly<Record<string, string>>;
  /** All deliveries of them. */
  readonly payloads: readonly Payload[];
  /** The giftcard/voided of each card. */
  readonly voided: readonly Payload[];
}

/** Milliseconds: for the voids, for what the issue sends, and for what comes beside the voids. */
const patience = { void: 10_000, issue: 1_000, silence: 250 };

/** Made once. Blocked when no card was issued, or when a void did not arrive. */
export function issuedDeliveries(t: Trial, name: string): Promise<IssuedDeliveries> {
  const receiver = receiverOf(t);
  return t.shared('deliveries of cards that an event issues', async (shared) => {
    const box = await receiver.mailbox('issued');
    arranged((await register(shared, box.url)).answer, 'registering a webhook');
    const rather = 'a text that is rather longer than what fits into a short column of some table';
    const texts = { spaced: '  with blanks ', figures: '0042', number: '42', flag: 'true', page: '<b>1 & 2</b>', empty: '' };
    const properties = { product: 'Teapot ✓ "large"', rather, ...texts, gcs_run: shared.run.ledger.runId };
    const { cards } = await event(shared, { event_name: name, amount: 1, properties });
    const codes = new Set<unknown>(cards.map(({ card }) => card.code));
    if (codes.size === 0) throw new Blocked('no card of the event can be looked up');
    const about = ({ payload }: Arrival) => codes.has(payload?.Code);
    const isVoid = (arrival: Arrival) => about(arrival) && arrival.payload?.WebhookTopic === 'giftcard/voided';
    const come = () => box.arrivals.filter(isVoid).length >= codes.size;
    // What is sent late may show the card as it is then.
    await receiver.until(() => box.arrivals.some(about), patience.issue);
    for (const code of codes) arranged(await voidByCode(shared, String(code)), 'voiding a card of an automation');
    await receiver.until(come, patience.void);
    await receiver.until(() => false, patience.silence);
    await removeAll(shared, [box.url]);
    if (!come()) throw new Blocked('no giftcard/voided of a card that an automation issued arrived');
    const of = (arrivals: readonly Arrival[]) => arrivals.flatMap(({ payload }) => (payload ? [payload] : []));
    return { properties, payloads: of(box.arrivals.filter(about)), voided: of(box.arrivals.filter(isVoid)) };
  });
}
