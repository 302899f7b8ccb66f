import { createHmac } from 'node:crypto';
import type { ServerWebhook } from '../records.ts';
import { isAccepted, postDelivery, signatureHeaderName, signBody } from '../webhooks.ts';
import type { FaultTable } from './fault.ts';
import type { Hooks, ServerDelivery, ServerEvent, ShortTopic } from './hooks.ts';

/** Sends deliveries of other events than the one that happened. */
const replaces = (change: (event: ServerEvent) => readonly ServerEvent[]) => (): Hooks => ({
  event: (event, next) => change(event).forEach(next),
});
const not = (isDropped: (event: ServerEvent) => boolean) => replaces((event) => (isDropped(event) ? [] : [event]));
const as = (topic: ShortTopic, instead: ShortTopic) =>
  replaces((event) => [event.topic === topic ? { ...event, topic: instead } : event]);
/** Sends deliveries to other webhooks. */
const toThose = (choose: (webhooks: ServerWebhook[], event: ServerEvent) => ServerWebhook[]) =>
  replaces((event) => [{ ...event, account: { ...event.account, webhooks: choose(event.account.webhooks, event) } }]);
const to = (topic: ShortTopic, isChosen: (webhook: ServerWebhook, index: number) => boolean) =>
  toThose((webhooks, event) => (event.topic === topic ? webhooks.filter(isChosen) : webhooks));

const sends = (change: (delivery: ServerDelivery) => Partial<ServerDelivery>) => (): Hooks => ({
  delivery: (delivery, next) => next({ ...delivery, ...change(delivery) }),
});

const tokenOf = ({ webhook }: ServerDelivery) => String(webhook.token ?? '');
const signedBy = (delivery: ServerDelivery, value: string | undefined) => ({
  headers: value === undefined || !tokenOf(delivery) ? {} : { [signatureHeaderName]: value },
});
/** Signs deliveries in another way. */
const signs = (signature: (body: string, token: string, delivery: ServerDelivery) => string | undefined) =>
  sends((delivery) => signedBy(delivery, signature(delivery.body, tokenOf(delivery), delivery)));
const hmac = (algorithm: string, body: string | Buffer, token: string) => createHmac(algorithm, token).update(body);
const withBody = (delivery: ServerDelivery, body: string): ServerDelivery => ({
  ...delivery,
  body,
  ...signedBy(delivery, signBody(body, tokenOf(delivery))),
});
const isForLater = ({ topic, card }: ServerEvent) => topic === 'updated' && card.giftDueAt !== undefined;
const tooEarly = replaces((event) => [event, ...(isForLater(event) ? [{ ...event, topic: 'gifted' as const }] : [])]);

/** Sends a failed delivery again after some statuses. */
const retries = (isTemporary: (status: number) => boolean) => (): Hooks => ({
  async delivery(delivery, next) {
    const status = await next(delivery);
    return !isAccepted(status) && isTemporary(status) ? next(delivery) : status;
  },
});
/** Counts a delivery as failed unless its status is one of these. The receiver responds to the webhook with this token with 2xx statuses other than 200. */
const succeeds = (isKnown: (status: number) => boolean) => (): Hooks => ({
  async delivery(delivery, next) {
    const status = await next(delivery);
    return isKnown(status) || !tokenOf(delivery).startsWith('another') ? status : 0;
  },
});

export const deliveryFaults: FaultTable = {
  'delivery.is-post-of-one-object': {
    'sends deliveries with PUT': sends(() => ({ method: 'PUT' })),
    'sends deliveries as an array': sends((delivery) => withBody(delivery, `[${delivery.body}]`)),
  },
  'authentication.key-acts-on-its-own-account': {
    'delivers to webhooks of all accounts': toThose((_, { account: { service } }) =>
      service.accounts.flatMap(({ webhooks }) => webhooks),
    ),
  },
  'delivery.no-topic-filter': { 'sends no gifts to webhooks without a token': to('gifted', ({ token }) => token !== undefined) },
  'delivery.one-per-webhook': {
    'sends voids to one webhook': to('voided', (_, index) => index === 0),
    'sends one delivery to webhooks with one URL': toThose((webhooks) => [
      ...new Map(webhooks.toReversed().map((webhook) => [webhook.url, webhook])).values(),
    ]),
    'sends every void twice': replaces((event) => (event.topic === 'voided' ? [event, event] : [event])),
    'sends every gift twice': replaces((event) => (event.topic === 'gifted' ? [event, event] : [event])),
  },
  'delivery.attempted-once': {
    'retries a failed delivery': retries(() => true),
    'retries a delivery after 404': retries((status) => status === 404),
    'retries a delivery after 503': retries((status) => status === 503),
    'sends a delivery again after a redirect': () => ({
      async delivery(delivery) {
        const status = await postDelivery(delivery, { redirect: 'manual' });
        return status === 307 ? postDelivery(delivery) : status;
      },
    }),
  },
  'delivery.any-2xx-succeeds': {
    'counts every response but 200 as a failure': succeeds((status) => status === 200),
    'counts statuses that it does not know as failures': succeeds((status) => [200, 201, 202, 204].includes(status)),
  },
  'delivery.updated.on-issue': { 'announces no issue of a card': not(({ topic }) => topic === 'updated') },
  'delivery.gifted.on-gift': {
    'announces no gifts': not(({ topic }) => topic === 'gifted'),
    'announces gifts as giftcard/updated': as('gifted', 'updated'),
    'announces a gift for later at once': tooEarly,
  },
  'delivery.voided.on-void': {
    'announces no voids': not(({ topic }) => topic === 'voided'),
    'announces voids as giftcard/updated': as('voided', 'updated'),
    'announces no void of a card that was topped up': not(
      ({ topic, card }) => topic === 'voided' && card.loaded > Number(card.fields.balance),
    ),
  },
  'delivery.expired.on-expiry': {
    'delivers no expiry': not(({ topic }) => topic === 'expired'),
    'announces an expiry as a void': as('expired', 'voided'),
    'announces an expiry to one webhook': to('expired', (_, index) => index === 0),
  },
  'emails.gifted-deferred': {
    'never announces a gift for later': not(
      ({ topic, card }) => topic === 'gifted' && card.fields.giftScheduledForUtc !== undefined,
    ),
    'announces a gift before its date': tooEarly,
  },
  'delivery.signed-with-token': {
    'signs in hexadecimal': signs((body, token) => hmac('sha256', body, token).digest('hex')),
    'signs with SHA-1': signs((body, token) => hmac('sha1', body, token).digest('base64')),
    'signs the token with the body as the key': signs((body, token) => hmac('sha256', token, body).digest('base64')),
    'cuts the token at 64 letters': signs((body, token) => signBody(body, token.slice(0, 64))),
    'signs for no webhook whose URL has one without a token': signs((body, token, { account, webhook }) =>
      account.webhooks.some((each) => each.url === webhook.url && !each.token) ? undefined : signBody(body, token),
    ),
    'signs voids only': signs((body, token, { topic }) => (topic === 'voided' ? signBody(body, token) : undefined)),
  },
  'delivery.signature-covers-raw-bytes': {
    'signs JSON without blanks': signs((body, token) => signBody(JSON.stringify(JSON.parse(body)), token)),
    'signs JSON with sorted names': signs((body, token) => {
      const json = JSON.parse(body);
      return signBody(JSON.stringify(json, Object.keys(json).sort(), 3), token);
    }),
    'signs Latin-1 bytes': signs((body, token) => hmac('sha256', Buffer.from(body, 'latin1'), token).digest('base64')),
  },
  'delivery.unsigned-without-token': {
    'signs without a token': sends(({ body, webhook }) => ({
      headers: { [signatureHeaderName]: signBody(body, String(webhook.token ?? '')) },
    })),
    'signs with the token of another webhook that has the same URL': sends(({ body, account, webhook, headers }) => {
      const token = webhook.token ?? account.webhooks.find((each) => each.url === webhook.url && each.token)?.token;
      return { headers: token ? { [signatureHeaderName]: signBody(body, String(token)) } : headers };
    }),
  },
  'delivery.token-never-sent': {
    'sends the token in a header': sends((delivery) => ({
      headers: { ...delivery.headers, token: encodeURIComponent(tokenOf(delivery)) },
    })),
  },
};
