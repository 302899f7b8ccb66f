import { clause } from '../core/clause.ts';
import { holds, same } from '../core/expect.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Arrival, Mailbox } from '../http/receiver.ts';
import { signatureName, signatureOf, successfulArrivals, unlessLate } from '../scenarios/deliveries.ts';
import { deliveryScenario, mostFailures, tokens } from '../scenarios/delivery-scenario.ts';

const needs = ['receiver'] as const;

/** How many times each event arrived, by card and topic. */
function timesOf(arrivals: readonly Arrival[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { payload } of arrivals) {
    const event = `${payload?.WebhookTopic} of ${payload?.Code}`;
    times.set(event, (times.get(event) ?? 0) + 1);
  }
  return times;
}

/** A request without a body is no delivery but a look whether somebody is there: always where it asks for something, and else until the first delivery. */
function onlyLooks({ method, bytes, at }: Arrival, first: Arrival | undefined): boolean {
  const asks = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return bytes.length === 0 && (asks || first === undefined || at < first.at);
}

clause('delivery.is-post-of-one-object', { needs }, async (t) => {
  const made = await deliveryScenario(t);
  const { signed, twin, content } = made.boxes;
  for (const box of [signed, twin, content]) {
    const [first] = made.of(box);
    const strange = box.arrivals.find((arrival) => arrival.payload === undefined && !onlyLooks(arrival, first));
    holds(!strange, 'one JSON object in each delivery', `${strange?.bytes.toString('utf8').slice(0, 100)}`);
  }
  successfulArrivals(made);
  for (const box of [signed, twin, content]) {
    const { pathname, search } = new URL(box.url);
    for (const { method, path } of made.of(box)) {
      same(method, 'POST', 'method of a delivery');
      // A proxy before the receiver may have put something in front.
      holds(`/${path}`.endsWith(pathname.split('/').at(-1) + search), `a delivery to …${pathname}${search}`, `one to ${path}`);
    }
  }
});

clause('delivery.no-topic-filter', { needs }, async (t) => {
  t.doesNotCheck('giftcard/reminder and giftcard/expired, which need another hand or the clock');
  const { boxes, of } = await deliveryScenario(t);
  const topicsIn = (found: readonly Arrival[]) => [...new Set(found.map(({ payload }) => String(payload?.WebhookTopic)))].sort();
  const topicsAt = (box: Mailbox) => topicsIn(of(box));
  const unsigned = of(boxes.twin).filter(({ headers }) => headers[signatureName] === undefined);
  const known = [...new Set([boxes.signed, boxes.twin, boxes.content].flatMap(topicsAt))].sort();
  unlessLate(t, () => {
    if (known.length < 3) throw new Blocked(`only ${known.join(', ') || 'nothing'} was delivered at all`);
    for (const box of [boxes.signed, boxes.twin, boxes.content])
      same(topicsAt(box), known, `topics that the webhook "${box.name}" got`);
    if (unsigned.length > 0) same(topicsIn(unsigned), known, 'topics that the webhook without a token got');
  });
});

clause('delivery.one-per-webhook', { needs }, async (t) => {
  const { boxes, of, cards } = await deliveryScenario(t);
  const [once, twice] = [timesOf(of(boxes.signed)), timesOf(of(boxes.twin))];
  if (once.size === 0) throw new Blocked('nothing was delivered to a webhook with a URL of its own');
  unlessLate(t, () => {
    for (const [event, times] of once)
      same(twice.get(event) ?? 0, 2 * times, `deliveries to two webhooks of the same URL: ${event}`);
    same(timesOf(of(boxes.content)).size, once.size, 'events that another webhook got');
  });
  // Of what surely eventAndRepeats only once. The same delivery may come again, for which it has its RequestId.
  const happenedOnce = [
    ...of(boxes.signed, cards.gifted, 'giftcard/gifted'),
    ...of(boxes.signed, cards.notified, 'giftcard/updated').filter(({ payload }) => payload?.Status === 'Active'),
    ...[cards.notified, cards.quiet, cards.later, cards.bare].flatMap((on) => of(boxes.signed, on, 'giftcard/voided')),
  ];
  const known = new Map(happenedOnce.map((arrival) => [arrival.payload?.RequestId, arrival]));
  for (const [event, times] of timesOf([...known.values()])) same(times, 1, `deliveries to one webhook: ${event}`);
});

clause('delivery.attempted-once', { needs }, async (t) => {
  t.doesNotCheck('whether it is tried again after the run');
  const { boxes, of, cards } = await deliveryScenario(t);
  const { failing, relapsing, missing, moved, revived } = boxes;
  const failed = [failing, relapsing, missing, moved].map((box) => timesOf(of(box)));
  // Whether the disabled record gets what happens after its URL was registered again is not stated.
  failed.push(timesOf([cards.gifted, cards.notified, cards.quiet, cards.later].flatMap((on) => of(revived, on))));
  if (failed.every(({ size }) => size === 0)) throw new Blocked('nothing was delivered to a webhook that fails');
  const succeeded = timesOf(of(boxes.signed));
  unlessLate(t, () => {
    for (const events of failed)
      for (const [event, times] of events)
        holds(times <= (succeeded.get(event) ?? 1), `one attempt of a delivery that failed: ${event}`, `${times}`);
  });
});

clause('delivery.any-2xx-succeeds', { needs }, async (t) => {
  const { boxes, of, looks } = await deliveryScenario(t);
  const [came, last] = [of(boxes.content).length, looks.at(-1)];
  await t.control('a webhook that answers 500 is disabled', async () =>
    holds(last?.listed.has(boxes.failing) === false, 'it not listed', 'it listed'),
  );
  if (came < mostFailures)
    throw new Untested('control-failed', `only ${came} deliveries came to be answered with other 2xx than 200`);
  holds(
    last?.listed.has(boxes.content) === true,
    'a webhook that answers with 2xx still listed',
    `it not listed after ${came} deliveries`,
  );
  unlessLate(t, () => same(came, of(boxes.signed).length, 'deliveries to a webhook that answers with other 2xx than 200'));
});

clause('delivery.updated.on-issue', { needs }, async (t) => {
  const { boxes, of, cards } = await deliveryScenario(t);
  const came = of(boxes.signed, cards.notified, 'giftcard/updated').length > 0;
  unlessLate(t, () => holds(came, 'giftcard/updated of a card issued with its notification', 'none'));
});

clause('delivery.gifted.on-gift', { needs }, async (t) => {
  const { boxes, of, cards } = await deliveryScenario(t);
  const came = of(boxes.signed, cards.gifted, 'giftcard/gifted').length > 0;
  unlessLate(t, () => holds(came, 'giftcard/gifted of a gift that is sent at once', 'none'));
  await t.control('a void of the gift for later arrived', async () =>
    holds(of(boxes.signed, cards.later, 'giftcard/voided').length > 0, 'giftcard/voided', 'none'),
  );
  holds(
    of(boxes.signed, cards.later, 'giftcard/gifted').length === 0,
    'no giftcard/gifted of a gift scheduled for much later',
    'one',
  );
});

clause('delivery.voided.on-void', { needs }, async (t) => {
  const { boxes, of, cards } = await deliveryScenario(t);
  for (const [on, how] of [
    [cards.gifted, 'by code'],
    [cards.notified, 'by ID'],
    [cards.bare, 'by code, of a card without a recipient'],
    [cards.quiet, 'by code, of a card that was redeemed whole'],
  ] as const)
    unlessLate(t, () =>
      holds(of(boxes.signed, on, 'giftcard/voided').length > 0, `giftcard/voided after voiding ${on.name} ${how}`, 'none'),
    );
});

/** Each signed delivery with its signature and its webhook's token. */
async function signed(t: Parameters<typeof deliveryScenario>[0]) {
  const { boxes, of } = await deliveryScenario(t);
  const found = (['signed', 'content', 'failing'] as const).flatMap((name) =>
    of(boxes[name]).map((arrival) => ({ ...arrival, token: tokens[name], signature: arrival.headers[signatureName] })),
  );
  if (found.length === 0) throw new Blocked('nothing was delivered to a webhook with a token');
  // One of the two has none.
  for (const arrival of of(boxes.twin)) {
    const signature = arrival.headers[signatureName];
    if (signature !== undefined) found.push({ ...arrival, token: tokens.twin, signature });
  }
  return found;
}

clause('delivery.signed-with-token', { needs }, async (t) => {
  for (const { bytes, payload, token, signature } of await signed(t)) {
    holds(signature !== undefined, 'HMAC-Signature-SHA256 on each delivery of a webhook with a token', 'none');
    // Over which form of the body is the next clause's question.
    const text = bytes.toString('utf8');
    const json = payload && JSON.parse(text);
    const forms = [bytes, text, text.trim(), JSON.stringify(json), JSON.stringify(json, null, 2)];
    const right = forms.map((form) => signatureOf(form, token));
    holds(
      right.includes(String(signature)),
      'the Base64 of the HMAC-SHA256 of the body, keyed with the token',
      String(signature),
    );
  }
});

clause('delivery.signature-covers-raw-bytes', { needs }, async (t) => {
  const found = await signed(t);
  await t.control('some delivery has letters beyond ASCII, or they are escaped', async () =>
    holds(
      found.some(({ bytes }) => /[^\p{ASCII}]|\\u/u.test(bytes.toString('utf8'))),
      'such letters',
      'none',
    ),
  );
  for (const { bytes, token, signature } of found)
    same(signature, signatureOf(bytes, token), 'signature over the bytes as they came');
});

clause('delivery.unsigned-without-token', { needs }, async (t) => {
  const found = await signed(t);
  await t.control('deliveries of a webhook with a token have a signature', async () =>
    holds(
      found.every(({ signature }) => signature !== undefined),
      'one',
      'none',
    ),
  );
  const { boxes, of } = await deliveryScenario(t);
  const both = [...timesOf(of(boxes.twin))].filter(([, times]) => times === 2);
  if (both.length === 0) throw new Blocked('nothing was delivered to both of two webhooks at one URL, of which one has a token');
  const unsigned = timesOf(of(boxes.twin).filter(({ headers }) => headers[signatureName] === undefined));
  for (const [event] of both)
    holds((unsigned.get(event) ?? 0) > 0, `a delivery without a signature to a webhook without a token: ${event}`, 'none');
});

clause('delivery.token-never-sent', { needs }, async (t) => {
  await signed(t);
  const { boxes } = await deliveryScenario(t);
  const forms = Object.values(tokens).flatMap((token) => {
    const bytes = Buffer.from(token);
    return [token, encodeURIComponent(token), bytes.toString('base64'), bytes.toString('hex')];
  });
  for (const { arrivals } of Object.values(boxes))
    for (const { path, rawHeaders, bytes } of arrivals) {
      const text = [path, ...rawHeaders, bytes.toString('utf8')].join('\n');
      holds(!forms.some((form) => text.includes(form)), 'no token in a delivery', 'one');
    }
});
