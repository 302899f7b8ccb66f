import { expectAmount, expectSame } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TestCard } from './cards.ts';
import { type DeliveryPayload, type DeliveryTopic, missingDelivery, payloadsIn } from './delivery-content.ts';
import { type CardName, deliveryScenario } from './delivery-scenario.ts';

/** Returns the payloads of deliveries that got a 2xx response, about one card or about all cards. Throws Blocked if no such delivery arrived about any card. */
export async function payloadsOf(t: Trial, who?: CardName): Promise<readonly DeliveryPayload[]> {
  const { of, boxes, cards, missing } = await deliveryScenario(t);
  const good = [boxes.signed, boxes.twin, boxes.content];
  const payloads = (on?: TestCard) => payloadsIn(good.flatMap((box) => of(box, on)));
  if (payloads().length > 0) return payloads(who && cards[who]);
  t.reliesOn(missing(good));
  throw new Blocked('no delivery about a card of the run arrived at a webhook that returns 2xx');
}

/** Returns the first delivery of the card and topic. If there is none, throws Blocked, because the rule about the topic already reports the missing delivery. */
export async function payloadOf(t: Trial, who: CardName, topic: DeliveryTopic): Promise<DeliveryPayload> {
  const { of, boxes, cards, missing } = await deliveryScenario(t);
  const [payload] = payloadsIn(of(boxes.signed, cards[who], topic));
  if (payload) return payload;
  t.reliesOn(missing([boxes.signed], cards[who], topic));
  throw new Blocked(missingDelivery(topic));
}

/** Checks as a control that the delivery of the card and topic arrived. Otherwise, a delivery that is missing proves nothing. */
export async function controlDelivered(t: Trial, who: CardName, topic: DeliveryTopic): Promise<void> {
  await payloadOf(t, who, topic);
  t.controls.add(`${topic} of the card "${who}" arrived`);
}

/** Checks the values of some properties in a delivery. A property that is null may be omitted or empty. */
export async function expectPayload(t: Trial, who: CardName, topic: DeliveryTopic, values: DeliveryPayload): Promise<void> {
  const payload = await payloadOf(t, who, topic);
  for (const [name, wanted] of Object.entries(values)) {
    const what = `${name} in ${topic} of the card "${who}"`;
    if (typeof wanted === 'number') expectAmount(payload[name], wanted, what);
    else expectSame(wanted === null ? payload[name] || null : payload[name], wanted, what);
  }
}
