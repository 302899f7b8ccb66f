import { createHmac } from 'node:crypto';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import type { Arrival } from '../http/receiver.ts';
import type { Card } from './cards.ts';
import { type Cards, type Season, season } from './delivery-scenario.ts';
import type { Topic } from './watch.ts';

/** What the season delivered, for clauses that look at what deliveries say. */

export const signatureName = 'hmac-signature-sha256';

export const signatureOf = (body: string | Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('base64');

/** Judges what rests on something having come, or on nothing having come: Untested where deliveries are late, for then it may come yet. */
export function unlessLate(t: Trial, judge: () => void): void {
  try {
    judge();
  } catch (error) {
    if (t.run.receiver?.isLate && (error instanceof Violation || error instanceof Blocked))
      throw new Untested(
        'control-failed',
        `deliveries came once they had been given up, so that others may come yet: ${error.message}`,
      );
    throw error;
  }
}

type Payload = Readonly<Record<string, unknown>>;

/** The first delivery of a card and topic. Blocked when there is none, which is for the clause about that topic to judge. */
export async function delivered(
  t: Trial,
  who: keyof Cards,
  topic: Topic,
): Promise<{ season: Season; on: Card; payload: Payload }> {
  const made = await season(t);
  return { season: made, on: made.cards[who], payload: payloadOf(made, made.cards[who], topic) };
}

export function payloadOf({ of, boxes }: Season, on: Card, topic: Topic): Payload {
  const [arrival] = of(boxes.signed, on, topic);
  if (!arrival?.payload) throw new Blocked(`no ${topic} of ${on.name} arrived`);
  return arrival.payload;
}

/** All deliveries to the boxes that always succeed, of which there are some. */
export function happyArrivals({ of, boxes }: Season): readonly Arrival[] {
  const arrivals = [boxes.signed, boxes.twin, boxes.content].flatMap((box) => of(box));
  if (arrivals.length === 0) throw new Blocked('no delivery about a card of the run arrived where it is answered with 2xx');
  return arrivals;
}

/** All deliveries of one card to those boxes: what does not change is in all of them. */
export async function payloadsOf(t: Trial, who: keyof Cards): Promise<readonly Payload[]> {
  const made = await season(t);
  const { boxes, of, cards } = made;
  happyArrivals(made);
  const all = [boxes.signed, boxes.twin, boxes.content].flatMap((box) => of(box, cards[who]));
  return all.flatMap(({ payload }) => (payload ? [payload] : []));
}

/** A nullable property without a value may be null or left out: that is open. */
export const orNull = (payload: Payload, name: string): unknown => payload[name] ?? null;

/** A text that may be null may be empty, too, where it says nothing: only of some is it stated that they are null then. */
export const orEmpty = (payload: Payload, name: string): unknown => payload[name] || null;
