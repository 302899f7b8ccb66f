import { advance, nowThere } from '../core/clock.ts';
import type { ClockControl } from '../core/target.ts';
import { arranged, type Trial } from '../core/trial.ts';
import type { Arrival } from '../http/receiver.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { voidByCode } from './card-requests.ts';
import { type Card, card, create } from './cards.ts';
import { giftedFields, notifiedFields } from './delivery-scenario.ts';
import { receiverOf } from './receiver-of.ts';
import type { Topic } from './watch.ts';
import { register, removeAll } from './webhooks.ts';

/** Topics that a webhook got of a card: before its gift's moment, and in all. */
interface Told {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Gifts whose moment comes an hour after their creation, by the target's clock. */
interface TimedGifts {
  readonly deferred: Told;
  /** Voided before its moment. */
  readonly waiting: Told;
  /** No gift, though it has a moment, and asks for the usual email; and what its creation was answered with. */
  readonly usual: Told & { readonly status: number };
  /** Asks for no email at all. */
  readonly bare: Told;
}

const hour = 3_600;
/** Milliseconds: for what must come, the same before another day is let pass, and for what may come beside it. */
const patience = { arrival: 10_000, afterHours: 3_000, silence: 400 };
const gift = { ...giftedFields, balance: 0.5 };

/** Made once. */
export function timedGifts(t: Trial, clock: ClockControl): Promise<TimedGifts> {
  return t.shared('gifts whose moment comes', async (shared) => {
    const { box, receiver } = await listening(shared);
    const bare = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(bare.answer.json)) ?? nowThere(shared);
    const moment = { giftScheduledForUtc: new Date(now + hour * 1_000).toISOString() };
    const deferred = await card(shared, { ...gift, ...moment });
    const waiting = await card(shared, { ...gift, ...moment });
    const usual = await create(shared, { ...notifiedFields, ...moment });
    arranged(await voidByCode(shared, waiting.code), `voiding ${waiting.name}`);
    const topicsOf = ({ code }: Pick<Card, 'code'>) => topics(box.arrivals, code);
    const comes = (on: Card, topic: Topic, ms: number) =>
      shared.run.client.patiently(() => receiver.comes(() => topicsOf(on).includes(topic), ms));
    await comes(waiting, 'giftcard/voided', patience.arrival);
    await receiver.until(() => false, patience.silence);
    const cards = { deferred, waiting, usual, bare };
    const before = all(cards, topicsOf);
    await advance(shared, clock, 2 * hour);
    const isGifted = () => topicsOf(deferred).includes('giftcard/gifted');
    await receiver.until(isGifted, patience.afterHours);
    // Gifts may be delivered together, once a day.
    if (!isGifted()) await advance(shared, clock, 25 * hour);
    await comes(deferred, 'giftcard/gifted', patience.arrival);
    await receiver.until(() => false, patience.silence);
    const after = all(cards, topicsOf);
    await removeAll(shared, [box.url]);
    const told = (name: keyof typeof cards) => ({ before: before[name], after: after[name] });
    return {
      deferred: told('deferred'),
      waiting: told('waiting'),
      usual: { ...told('usual'), status: usual.answer.status },
      bare: told('bare'),
    };
  });
}

/** Topics of a gift whose moment had passed when it was created, and what its creation was answered with. */
export async function lateGift(t: Trial): Promise<{ status: number; topics: readonly string[] }> {
  const { box, receiver } = await listening(t);
  const { code, answer } = await create(t, { ...gift, giftScheduledForUtc: '2021-02-03T04:05:06.000Z' });
  if (answer.status === 200) await receiver.until(() => topics(box.arrivals, code).length > 0, 3_000);
  await removeAll(t, [box.url]);
  return { status: answer.status, topics: topics(box.arrivals, code) };
}

const all = <K extends string>(cards: Record<K, Pick<Card, 'code'>>, of: (on: Pick<Card, 'code'>) => string[]) =>
  Object.fromEntries(Object.entries<Pick<Card, 'code'>>(cards).map(([name, on]) => [name, of(on)])) as Record<K, string[]>;

const topics = (arrivals: readonly Arrival[], code: string): string[] =>
  arrivals.flatMap(({ payload }) => (payload?.Code === code ? [String(payload.WebhookTopic)] : []));

async function listening(t: Trial) {
  const receiver = receiverOf(t);
  const box = await receiver.mailbox('timed');
  arranged((await register(t, box.url)).answer, 'registering a webhook');
  return { box, receiver };
}
