import { expectAmount, expectSame } from '../core/expect.ts';
import { unlessLate } from '../core/late.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Card } from './cards.ts';
import { type Payload, payloadsIn, type Topic } from './deliveries.ts';
import { type CardName, deliveryScenario } from './delivery-scenario.ts';

/** Returns the payloads of deliveries that got a 2xx reply, about one card or about all cards. Throws Blocked if no such delivery arrived about any card. */
export async function payloadsOf(t: Trial, who?: CardName): Promise<readonly Payload[]> {
  const { of, boxes, cards, missing } = await deliveryScenario(t);
  const good = [boxes.signed, boxes.twin, boxes.content];
  const payloads = (on?: Card) => payloadsIn(good.flatMap((box) => of(box, on)));
  return unlessLate(t, missing(good), () => {
    if (payloads().length > 0) return payloads(who && cards[who]);
    throw new Blocked('no delivery about a card of the run arrived at a webhook that answers with 2xx');
  });
}

/** Returns the first delivery of the card and topic. If there is none, throws Blocked, because the clause about the topic already reports the missing delivery. */
export async function payloadOf(t: Trial, who: CardName, topic: Topic): Promise<Payload> {
  const { of, boxes, cards, missing } = await deliveryScenario(t);
  return unlessLate(t, missing([boxes.signed], cards[who], topic), () => {
    const [payload] = payloadsIn(of(boxes.signed, cards[who], topic));
    if (!payload) throw new Blocked(`no ${topic} of ${cards[who].name} arrived`);
    return payload;
  });
}

/** Checks the values of some properties in a delivery. A property that is null may be omitted or empty. */
export async function expectPayload(t: Trial, who: CardName, topic: Topic, values: Payload): Promise<void> {
  const payload = await payloadOf(t, who, topic);
  for (const [name, wanted] of Object.entries(values)) {
    const what = `${name} in ${topic} of the card "${who}"`;
    if (typeof wanted === 'number') expectAmount(payload[name], wanted, what);
    else expectSame(wanted === null ? payload[name] || null : payload[name], wanted, what);
  }
}
