import { expectSame, expectThat } from '../core/expect.ts';
import type { Arrival, Mailbox } from '../core/receiver.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import { Untested } from '../safety/policy.ts';
import { controlHolds, orUndefined } from '../scenarios/controls.ts';
import { type DeliveryTopic, signatureHeader, signatureOf, topicsOf } from '../scenarios/delivery-content.ts';
import { type CardName, deliveryScenario, mostFailures, repeatedAttempts, tokens } from '../scenarios/delivery-scenario.ts';
import { controlDelivered, payloadsOf } from '../scenarios/payloads.ts';
import { timedDeliveries, timedToken } from '../scenarios/single-deliveries.ts';

const needs = ['receiver'] as const;

function countByEvent(arrivals: readonly Arrival[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { payload } of arrivals) {
    const event = `${String(payload?.WebhookTopic)} of ${String(payload?.Code)}`;
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return counts;
}

/** Reports whether a request only checks the URL and is not a delivery. Such a request has no body. An empty POST counts as a check only before the first delivery. */
function isUrlCheck({ method, bytes, at }: Arrival, first: Arrival | undefined): boolean {
  const requests = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return bytes.length === 0 && (requests || first === undefined || at < first.at);
}

rule('delivery.is-post-of-one-object', { needs }, async (t) => {
  const { boxes, of } = await deliveryScenario(t);
  for (const box of [boxes.signed, boxes.twin, boxes.content]) {
    const [first] = of(box);
    const other = box.arrivals.find((arrival) => arrival.payload === undefined && !isUrlCheck(arrival, first));
    expectThat(!other, 'one JSON object in each delivery', `${other?.bytes.toString('utf8').slice(0, 100)}`);
    const { pathname, search } = new URL(box.url);
    for (const { method, path } of of(box)) {
      expectSame(method, 'POST', 'method of a delivery');
      // A proxy in front of the receiver may add a prefix to the path, so only the end of the path is compared.
      const isRight = `/${path}`.endsWith(pathname.split('/').at(-1) + search);
      expectThat(isRight, `a delivery to …${pathname}${search}`, `a delivery to ${path}`);
    }
  }
  await payloadsOf(t);
});

rule('delivery.no-topic-filter', { needs }, async (t) => {
  t.doesNotCheck('giftcard/reminder and giftcard/expired, which no request causes');
  const { boxes, of, missing } = await deliveryScenario(t);
  const topicsIn = (arrivals: readonly Arrival[]) =>
    [...new Set(arrivals.map(({ payload }) => String(payload?.WebhookTopic)))].sort();
  const all = [boxes.signed, boxes.twin, boxes.content];
  const unsigned = of(boxes.twin).filter(({ headers }) => headers[signatureHeader] === undefined);
  const known = topicsIn(all.flatMap((box: Mailbox) => of(box)));
  await controlDelivered(t, 'gifted', 'giftcard/gifted');
  await controlDelivered(t, 'notified', 'giftcard/updated');
  await controlDelivered(t, 'bare', 'giftcard/voided');
  t.reliesOn(missing(all));
  for (const box of all) expectSame(topicsIn(of(box)), known, `topics at the webhook "${box.name}"`);
  if (unsigned.length > 0) expectSame(topicsIn(unsigned), known, 'topics at the webhook without a token');
});

rule('delivery.one-per-webhook', { needs }, async (t) => {
  const { boxes, of, cards, missing } = await deliveryScenario(t);
  const [once, twice] = [countByEvent(of(boxes.signed)), countByEvent(of(boxes.twin))];
  if (once.size === 0) throw new Blocked('no delivery arrived at a webhook with its own URL');
  t.reliesOn(missing([boxes.signed, boxes.twin, boxes.content]));
  for (const [event, count] of once)
    expectSame(twice.get(event) ?? 0, 2 * count, `deliveries to two webhooks with the same URL: ${event}`);
  expectSame(countByEvent(of(boxes.content)).size, once.size, 'events at another webhook');
  // A repeated delivery with the same RequestId counts once.
  const happenedOnce = [
    ...of(boxes.signed, cards.gifted, 'giftcard/gifted'),
    ...of(boxes.signed, cards.notified, 'giftcard/updated').filter(({ payload }) => payload?.Status === 'Active'),
    ...[cards.notified, cards.quiet, cards.later, cards.bare].flatMap((on) => of(boxes.signed, on, 'giftcard/voided')),
  ];
  const byRequestId = new Map(happenedOnce.map((arrival) => [arrival.payload?.RequestId, arrival]));
  for (const [event, count] of countByEvent([...byRequestId.values()]))
    expectSame(count, 1, `deliveries to one webhook: ${event}`);
});

rule('delivery.attempted-once', { needs }, async (t) => {
  t.doesNotCheck('whether the target retries after the run');
  const scenario = await deliveryScenario(t);
  const { boxes, of, missing } = scenario;
  if ([boxes.failing, boxes.relapsing, boxes.missing, boxes.moved].every((box) => of(box).length === 0))
    throw new Blocked('no delivery arrived at a webhook that fails');
  t.reliesOn(missing([boxes.signed]));
  const attempts = t.readDeliveries(repeatedAttempts(scenario));
  const [event] = countByEvent(attempts).keys();
  expectThat(attempts.length === 0, `one attempt of a failed delivery: ${event}`, `${attempts.length}`);
});

rule('delivery.any-2xx-succeeds', { needs }, async (t) => {
  const { boxes, of, webhookLists, missing } = await deliveryScenario(t);
  const [count, { listed }] = [of(boxes.content).length, webhookLists.last];
  controlHolds(t, 'a webhook that returns 500 is disabled', !listed.has(boxes.failing));
  t.reliesOn(missing([boxes.content, boxes.signed]));
  if (count < mostFailures)
    throw new Untested(
      'control-failed',
      `only ${count} deliveries got a 2xx response other than 200; ${mostFailures} are needed`,
    );
  expectThat(
    listed.has(boxes.content),
    'a webhook with 2xx responses in the list',
    `the webhook not in the list after ${count} deliveries`,
  );
  expectSame(count, of(boxes.signed).length, 'deliveries to a webhook with 2xx responses other than 200');
});

async function expectArrival(t: Trial, who: CardName, topic: DeliveryTopic, what: string): Promise<void> {
  const { boxes, of, cards, missing, instead } = await deliveryScenario(t);
  if (of(boxes.signed, cards[who], topic).length > 0) return;
  t.reliesOn(missing([boxes.signed], cards[who], topic));
  throw new Violation(`${topic} of ${what}`, topicsOf(t.readDeliveries(instead(boxes.signed, cards[who], topic))));
}

rule('delivery.updated.on-issue', { needs }, (t) =>
  expectArrival(t, 'notified', 'giftcard/updated', 'a card issued with a notification'),
);

rule('delivery.gifted.on-gift', { needs }, async (t) => {
  await expectArrival(t, 'gifted', 'giftcard/gifted', 'a gift for now');
  const { boxes, of, cards } = await deliveryScenario(t);
  await controlDelivered(t, 'later', 'giftcard/voided');
  const early = of(boxes.signed, cards.later, 'giftcard/gifted');
  expectThat(early.length === 0, 'no giftcard/gifted of a gift for later', 'giftcard/gifted');
});

rule('delivery.voided.on-void', { needs }, async (t) => {
  await expectArrival(t, 'gifted', 'giftcard/voided', 'a card that was voided by code');
  await expectArrival(t, 'notified', 'giftcard/voided', 'a card that was voided by ID');
  await expectArrival(t, 'bare', 'giftcard/voided', 'a card without a recipient');
  await expectArrival(t, 'quiet', 'giftcard/voided', 'a card that was fully redeemed');
});

async function signedDeliveries(t: Trial) {
  const { boxes, of } = await deliveryScenario(t);
  const withToken = (name: keyof typeof tokens) =>
    of(boxes[name]).map((arrival) => ({ ...arrival, token: tokens[name], signature: arrival.headers[signatureHeader] }));
  const found = (['signed', 'content', 'failing'] as const).flatMap(withToken);
  if (found.length === 0) throw new Blocked('no delivery arrived at a webhook with a token');
  // Only one of the two webhooks at the URL of `twin` has a token.
  return [...found, ...withToken('twin').filter(({ signature }) => signature !== undefined)];
}

/** Checks each event that arrived at both webhooks of one URL: one delivery is signed, the other is not. Returns the number of events. */
async function expectOneOfTwo(t: Trial, isSigned: boolean): Promise<number> {
  const { boxes, of } = await deliveryScenario(t);
  const [once, twice] = [countByEvent(of(boxes.signed)), of(boxes.twin)];
  const found = countByEvent(twice.filter(({ headers }) => (headers[signatureHeader] !== undefined) === isSigned));
  const both = [...countByEvent(twice)].filter(([event, count]) => count === 2 && once.get(event) === 1);
  for (const [event] of both)
    expectThat(
      found.has(event),
      `${isSigned ? 'a signed' : 'an unsigned'} ${event} delivery to one of two webhooks at a URL`,
      'none',
    );
  return both.length;
}

rule('delivery.signed-with-token', { needs }, async (t) => {
  const { clock } = t.run.profile;
  const expired = clock && (await orUndefined(timedDeliveries(t, clock)))?.expired.signed;
  const timed = expired ? [{ ...expired, token: timedToken, signature: expired.headers[signatureHeader] }] : [];
  for (const delivery of [...(await signedDeliveries(t)), ...timed]) {
    const { bytes, payload, token, signature } = delivery;
    t.readDeliveries([delivery]);
    expectThat(signature !== undefined, 'HMAC-Signature-SHA256 on each delivery to a webhook with a token', 'none');
    // This check accepts a signature over the same JSON with other whitespace. The rule delivery.signature-covers-raw-bytes checks the exact bytes.
    const text = bytes.toString('utf8');
    const json = payload && JSON.parse(text);
    const forms = [bytes, text, text.trim(), JSON.stringify(json), JSON.stringify(json, null, 2)];
    const isRight = forms.some((form) => signatureOf(form, token) === signature);
    expectThat(isRight, 'the Base64 of the HMAC-SHA256 of the body, keyed with the token', String(signature));
  }
  await expectOneOfTwo(t, true);
});

rule('delivery.signature-covers-raw-bytes', { needs }, async (t) => {
  const found = await signedDeliveries(t);
  const isBeyondAscii = found.some(({ bytes }) => /[^\p{ASCII}]|\\u/u.test(bytes.toString('utf8')));
  controlHolds(t, 'a delivery has letters beyond ASCII, or escapes them', isBeyondAscii);
  for (const delivery of found) {
    t.readDeliveries([delivery]);
    expectSame(delivery.signature, signatureOf(delivery.bytes, delivery.token), 'signature over the received bytes');
  }
});

rule('delivery.unsigned-without-token', { needs }, async (t) => {
  const isSigned = (await signedDeliveries(t)).every(({ signature }) => signature !== undefined);
  controlHolds(t, 'deliveries to a webhook with a token have a signature', isSigned);
  if ((await expectOneOfTwo(t, false)) === 0) throw new Blocked('no event arrived at both webhooks that share a URL');
});

rule('delivery.token-never-sent', { needs }, async (t) => {
  await signedDeliveries(t);
  const { boxes } = await deliveryScenario(t);
  const forms = Object.values(tokens).flatMap((token) => {
    const bytes = Buffer.from(token);
    return [token, encodeURIComponent(token), bytes.toString('base64'), bytes.toString('hex')];
  });
  for (const { path, headers, bytes } of Object.values(boxes).flatMap(({ arrivals }) => arrivals)) {
    const text = [path, JSON.stringify(headers), bytes.toString('utf8')].join('\n');
    expectThat(!forms.some((form) => text.includes(form)), 'no token in a delivery', 'a token');
  }
});
