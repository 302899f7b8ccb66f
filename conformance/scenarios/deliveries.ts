import { createHmac } from 'node:crypto';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import type { Arrival } from '../http/receiver.ts';
import type { Card } from './cards.ts';
import { type DeliveryCards, type DeliveryScenario, deliveryScenario } from './delivery-scenario.ts';
import type { Topic } from './delivery-watch.ts';

/** The contents of deliveries. */

export const signatureName = 'hmac-signature-sha256';

export const signatureOf = (body: string | Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('base64');

/** Runs an expectation about missing deliveries. If any delivery arrived after its deadline, a failure is Untested: the missing one may still arrive. */
export function unlessLate(t: Trial, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    if (t.run.receiver?.isLate && (error instanceof Violation || error instanceof Blocked))
      throw new Untested('control-failed', `a delivery arrived after its deadline, so others may still arrive: ${error.message}`);
    throw error;
  }
}

export type Payload = Readonly<Record<string, unknown>>;

/** The first delivery of the card and topic in the scenario. Blocked if there is none: the clause about that topic reports it. */
export async function getDelivery(
  t: Trial,
  who: keyof DeliveryCards,
  topic: Topic,
): Promise<{ scenario: DeliveryScenario; on: Card; payload: Payload }> {
  const scenario = await deliveryScenario(t);
  return { scenario, on: scenario.cards[who], payload: payloadOf(scenario, scenario.cards[who], topic) };
}

export function payloadOf({ of, boxes }: DeliveryScenario, on: Card, topic: Topic): Payload {
  const [arrival] = of(boxes.signed, on, topic);
  if (!arrival?.payload) throw new Blocked(`no ${topic} of ${on.name} arrived`);
  return arrival.payload;
}

/** All deliveries that were answered with 2xx. Blocked if there are none. */
export function successfulArrivals({ of, boxes }: DeliveryScenario, on?: Card): readonly Arrival[] {
  const arrivals = [boxes.signed, boxes.twin, boxes.content].flatMap((box) => of(box, on));
  if (arrivals.length === 0 && !on)
    throw new Blocked('no delivery about a card of the run arrived at a webhook that answers with 2xx');
  return arrivals;
}

/** The payloads of these deliveries, of one card or of all. */
export async function payloadsOf(t: Trial, who?: keyof DeliveryCards): Promise<readonly Payload[]> {
  const scenario = await deliveryScenario(t);
  const all = successfulArrivals(scenario);
  const wanted = who ? successfulArrivals(scenario, scenario.cards[who]) : all;
  return wanted.flatMap(({ payload }) => (payload ? [payload] : []));
}

/** The property, null if it is left out: the specification allows either. */
export const orNull = (payload: Payload, name: string): unknown => payload[name] ?? null;

/** The property, null if it is left out or empty: the specification says only for some properties that they are null then. */
export const orEmpty = (payload: Payload, name: string): unknown => payload[name] || null;
