import { randomUUID } from 'node:crypto';
import { sign } from '../../mock/outbound/signature.ts';
import { adding, card, effects, type Mutations, outcome, puts, voiding } from './mutation.ts';
import { type Posting, payload, posting, signed } from './posting.ts';

type Payload = Posting['payload'];
type Topic = Payload['WebhookTopic'];

const on = (topic: Topic, change: (given: Payload) => object) =>
  payload((given) => (given.WebhookTopic === topic ? change(given) : given));
const without = (name: keyof Payload) => payload(({ [name]: _, ...given }) => given);
/** Sends a second delivery of the same event, with its own RequestId, because a receiver may discard a repeated RequestId. */
const posts = (when: (delivery: Posting) => boolean = () => true) =>
  posting(async (delivery, post) => {
    await post();
    if (!when(delivery)) return;
    const body = JSON.stringify({ ...delivery.payload, RequestId: randomUUID() });
    await post({ body, headers: signed(body, delivery.token) });
  });
/** Retries a delivery that failed with this status. Without a status, retries every failed delivery. */
const retries = (status?: number) =>
  posting(async (_, post) => {
    const first = await post();
    if (first < 200 || first >= 300) if (status === undefined || first === status) await post();
  });
/** Replaces the signature of each signed delivery. */
const signs = (signature: (body: string, token: string) => string) =>
  posting(({ body, token, headers }, post) => {
    if (token === null) return post();
    const name = Object.keys(headers).find((each) => each.toLowerCase() === 'hmac-signature-sha256') ?? '';
    return post({ headers: { ...headers, [name]: signature(body, token) } });
  });
const topics = (change: (topic: Topic) => Topic | undefined) =>
  effects((effect) => {
    if (effect.kind !== 'delivery') return [effect];
    const topic = change(effect.topic);
    return topic === undefined ? [] : [{ ...effect, topic }];
  });
/** Counts a 2xx answer as a failure unless `isSuccess` accepts its status. */
const succeeds = (isSuccess: (status: number) => boolean) => () => {
  const { post, ...seams } = posting((_, send) => send())();
  return {
    ...seams,
    post:
      (next: Parameters<NonNullable<typeof post>>[0]): ReturnType<NonNullable<typeof post>> =>
      async (...delivery) => {
        const posted = await next(...delivery);
        return 'status' in posted && posted.status < 300 && !isSuccess(posted.status) ? { ...posted, status: 500 } : posted;
      },
  };
};

export const deliveryMutations: Mutations = {
  'delivery.is-post-of-one-object': posting(({ body, token }, post) =>
    post({ body: `[${body}]`, headers: signed(`[${body}]`, token) }),
  ),
  'delivery.no-topic-filter': posting(async ({ token, payload: { WebhookTopic } }, post) => {
    if (token !== null || WebhookTopic !== 'giftcard/gifted') await post();
  }),
  'delivery.one-per-webhook': [
    () => {
      const sent = new Set<string>();
      return posting(async ({ url, payload: { GiftCardId, WebhookTopic } }, post) => {
        const event = [url, GiftCardId, WebhookTopic].join();
        const isFirst = !sent.has(event);
        sent.add(event);
        if (isFirst) await post();
      })();
    },
    posts(({ payload: { WebhookTopic } }) => WebhookTopic === 'giftcard/voided'),
    posts(({ payload: { WebhookTopic } }) => WebhookTopic === 'giftcard/gifted'),
  ],
  'delivery.attempted-once': [retries(), ...[404, 503, 307].map(retries)],
  'delivery.any-2xx-succeeds': [succeeds((status) => status < 202), succeeds((status) => [200, 201, 202, 204].includes(status))],
  'delivery.updated.on-issue': topics((topic) => (topic === 'giftcard/updated' ? 'giftcard/gifted' : topic)),
  'delivery.gifted.on-gift': topics((topic) => (topic === 'giftcard/gifted' ? 'giftcard/updated' : topic)),
  'delivery.voided.on-void': outcome(voiding, (decided) => ({
    ...decided,
    effects: decided.effects.filter(
      (effect) => effect.kind !== 'delivery' || effect.card.initialValue !== effect.card.totalIssued,
    ),
  })),
  'delivery.signed-with-token': [
    signs((body, token) => sign(Buffer.from(body), token.slice(0, 64))),
    signs((body, token) => sign(Buffer.from(body), token.trim().slice(0, 22))),
    signs((body, token) => Buffer.from(sign(Buffer.from(body), token), 'base64').toString('hex')),
    posting(({ body, payload: { WebhookTopic } }, post) =>
      post(WebhookTopic === 'giftcard/voided' ? { headers: signed(body, null) } : {}),
    ),
  ],
  'delivery.signature-covers-raw-bytes': [
    signs((body, token) => sign(Buffer.from(body, 'latin1'), token)),
    signs((body, token) => sign(Buffer.from(JSON.stringify(JSON.parse(body), Object.keys(JSON.parse(body)).sort())), token)),
  ],
  'delivery.unsigned-without-token': [
    posting(({ body, token }, post) => post(token === null ? { headers: signed(body, 'none') } : {})),
    // Signs with the token of another webhook that has the same URL.
    () => {
      const tokens = new Map<string, string>();
      return posting(({ url, body, token }, post) => {
        if (token !== null) tokens.set(url, token);
        return post({ headers: signed(body, token ?? tokens.get(url) ?? null) });
      })();
    },
  ],
  'delivery.token-never-sent': posting(({ headers, token }, post) =>
    post({ headers: token === null ? headers : { ...headers, 'x-token': token } }),
  ),
  'delivery.payload.has-every-property': without('PdfUrl'),
  'delivery.payload.pascal-case-names': [
    payload(({ ViewBalanceUrl, ...given }) => ({ ...given, viewBalanceUrl: ViewBalanceUrl })),
    payload((given) => ({ ...given, extra_field: 1 })),
  ],
  'delivery.payload.request-id-is-guid': payload((given) => ({ ...given, RequestId: `req_${given.RequestId}` })),
  'delivery.payload.request-id-new-each-time': () => {
    const ids = new Map<string, string>();
    return payload((given) => {
      const event = given.GiftCardId + given.WebhookTopic;
      ids.set(event, ids.get(event) ?? given.RequestId);
      return { ...given, RequestId: ids.get(event) };
    })();
  },
  'delivery.payload.gift-card-id-finds-card': payload((given) => ({ ...given, GiftCardId: given.Code })),
  'delivery.payload.code': payload((given) => ({ ...given, Code: given.Code.toLowerCase() })),
  'delivery.payload.created-at': payload((given) => ({ ...given, CreatedAt: '2020-01-01T00:00:00.000Z' })),
  'delivery.payload.initial-value': payload((given) => ({ ...given, InitialValue: given.TotalIssuedAmount })),
  'delivery.payload.balance-after-event': on('giftcard/voided', (given) => ({ ...given, Balance: given.InitialValue })),
  'delivery.payload.status-after-event': payload((given) => ({ ...given, Status: 'Active' })),
  'delivery.payload.total-issued-counts-top-ups': [
    payload((given) => ({ ...given, TotalIssuedAmount: given.InitialValue })),
    card(adding, (made, { before }) => ({
      ...made,
      totalIssued: (before?.totalIssued ?? 0) + made.balance - (before?.balance ?? 0),
    })),
  ],
  'delivery.payload.formatted-amounts': payload((given) => ({
    ...given,
    FormattedBalance: String(given.Balance),
    FormattedInitialValue: String(given.InitialValue),
  })),
  'delivery.payload.currency': payload((given) => ({ ...given, Currency: 'EUR' })),
  'delivery.payload.expiry': payload((given) => ({ ...given, ExpiresAtUtc: given.ExpiresAtUtc && given.CreatedAt })),
  'delivery.payload.recipient': payload((given) => ({ ...given, RecipientName: given.BuyerName })),
  'delivery.payload.buyer-of-gifted-card': payload((given) => ({
    ...given,
    BuyerName: given.RecipientName,
    BuyerEmail: given.RecipientEmailAddress,
  })),
  'delivery.payload.buyer-falls-back': payload((given) =>
    given.BuyerName === given.RecipientName ? { ...given, BuyerName: null } : given,
  ),
  'delivery.payload.gift-message': puts('cards', (made) => ({ ...made, giftMessage: made.notes })),
  'delivery.payload.promotional': [
    payload((given) => ({ ...given, IsPromotional: true })),
    payload((given) => ({ ...given, IsPromotional: given.AutomationId !== null })),
    on('giftcard/voided', (given) => ({ ...given, IsPromotional: false })),
  ],
  'delivery.payload.store-credit': payload((given) => ({ ...given, IsStoreCredit: true })),
  'delivery.payload.links': payload((given) => ({ ...given, PdfUrl: new URL(given.PdfUrl).pathname })),
  'delivery.payload.gift-to-friend-link': payload((given) => ({ ...given, GiftToFriendUrl: null })),
  'delivery.payload.batch': payload((given) => ({ ...given, GiftCardBatchId: given.GiftCardId })),
  'delivery.payload.campaign': payload((given) => ({ ...given, CampaignId: given.GiftCardId })),
  'delivery.payload.topic': on('giftcard/gifted', (given) => ({ ...given, WebhookTopic: 'giftcard.gifted' })),
  'delivery.payload.api-event-properties': payload(({ ApiEventProperties: given, ...rest }) =>
    given ? { ...rest, ApiEventProperties: { ...given, event: String(rest.ApiEventName) } } : rest,
  ),
  'delivery.payload.api-event-name': payload((given) => ({ ...given, ApiEventName: given.ApiEventName ?? 'created' })),
  'delivery.payload.automation': payload((given) => ({ ...given, AutomationId: null })),
};
