import { clause } from '../core/clause.ts';
import { payloadNames } from '../core/contract.ts';
import { giftCard, holds, same, sameAmount } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { getById } from '../scenarios/cards.ts';
import { money } from '../scenarios/currency.ts';
import { delivered, orEmpty, orNull, payloadOf, payloadsOf, successfulArrivals } from '../scenarios/deliveries.ts';
import { bareFields, deliveryScenario, giftedFields, notifiedFields } from '../scenarios/delivery-scenario.ts';
import { expiredPayload } from '../scenarios/single-deliveries.ts';

const needs = ['receiver'] as const;

/** All that was delivered where it succeeds, as payloads. */
async function payloads(t: Trial) {
  return successfulArrivals(await deliveryScenario(t)).flatMap(({ payload }) => (payload ? [payload] : []));
}

clause('delivery.payload.has-every-property', { needs }, async (t) => {
  for (const payload of await payloads(t)) {
    const missing = payloadNames.required.filter((name) => !(name in payload));
    holds(missing.length === 0, 'every property that is not nullable', `none called ${missing.join(', ')}`);
  }
});

clause('delivery.payload.pascal-case-names', { needs }, async (t) => {
  const byLetters = new Map(payloadNames.known.map((name) => [name.toLowerCase(), name]));
  for (const payload of await payloads(t)) {
    const wrong = Object.keys(payload).filter(
      (name) => !/^[A-Z][A-Za-z0-9]*$/.test(name) || (byLetters.get(name.toLowerCase()) ?? name) !== name,
    );
    holds(wrong.length === 0, 'names in PascalCase', wrong.join(', '));
  }
});

clause('delivery.payload.request-id-is-guid', { needs }, async (t) => {
  for (const { RequestId } of await payloads(t)) {
    const isGuid = typeof RequestId === 'string' && /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i.test(RequestId);
    holds(isGuid, 'a GUID as RequestId', JSON.stringify(RequestId));
  }
});

clause('delivery.payload.request-id-new-each-time', { needs }, async (t) => {
  const seen = new Map<string, string>();
  for (const { RequestId, WebhookTopic, Code } of await payloads(t)) {
    const [id, event] = [String(RequestId).toLowerCase(), `${WebhookTopic} of ${Code}`];
    holds(!seen.has(id), 'a RequestId of its own for each delivery', `one for ${seen.get(id)} and for ${event}`);
    seen.set(id, event);
  }
});

clause('delivery.payload.gift-card-id-finds-card', { needs }, async (t) => {
  for (const who of ['gifted', 'bare'] as const) {
    const { payload, on } = await delivered(t, who, 'giftcard/voided');
    const { GiftCardId } = payload;
    if (typeof GiftCardId !== 'string') {
      holds(false, 'GiftCardId as a string', JSON.stringify(GiftCardId));
      return;
    }
    same(giftCard(await getById(t, GiftCardId), 'the card with that ID').code, on.code, 'code of the card with that ID');
  }
});

clause('delivery.payload.code', { needs }, async (t) => {
  const { cards, of, boxes } = await deliveryScenario(t);
  const { payload } = await delivered(t, 'bare', 'giftcard/voided');
  same(payload.Code, cards.bare.code, 'Code');
  for (const on of Object.values(cards)) {
    const ids = new Set(of(boxes.signed, on).map((each) => each.payload?.GiftCardId));
    holds(ids.size <= 1, 'one GiftCardId with each Code', [...ids].join(', '));
  }
});

clause('delivery.payload.created-at', { needs }, async (t) => {
  const { on, payload: last, scenario: made } = await delivered(t, 'gifted', 'giftcard/voided');
  const moments = made.of(made.boxes.signed, on).map(({ payload }) => instantOf(payload?.CreatedAt));
  holds(
    moments.every((moment) => moment !== undefined),
    'a date and time as CreatedAt',
    JSON.stringify(last.CreatedAt),
  );
  holds(new Set(moments).size === 1, 'the same CreatedAt in all deliveries of a card', moments.map(told).join(', '));
  const [moment = 0] = moments;
  const next = instantOf(payloadOf(made, made.cards.bare, 'giftcard/voided').CreatedAt) ?? 0;
  holds(next >= moment, 'a later CreatedAt for a card that was created later', `${told(next)} after ${told(moment)}`);
  const shown = instantOf(issueTime(on.answer.json));
  // Only those properties that are called so are in UTC; where no zone is told, it may be the account's.
  const zone = 15 * 60_000;
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/i.test(String(last.CreatedAt));
  const off = shown === undefined || isZoned ? 0 : Math.round((moment - shown) / zone) * zone;
  if (shown === undefined) t.doesNotCheck('whether it is the moment that the card shows, as none is found there');
  else
    holds(
      Math.abs(off) <= 14 * 3_600_000 && Math.abs(shown + off - moment) < 1_000,
      `CreatedAt = ${told(shown)}, as the card shows`,
      told(moment),
    );
});

const told = (moment: number | undefined) => (moment === undefined ? 'nothing' : new Date(moment).toISOString());

clause('delivery.payload.initial-value', { needs }, async (t) => {
  const { payload } = await delivered(t, 'gifted', 'giftcard/voided');
  sameAmount(payload.InitialValue, giftedFields.balance, 'InitialValue of a card that was topped up, redeemed and voided');
  sameAmount((await delivered(t, 'notified', 'giftcard/updated')).payload.InitialValue, notifiedFields.balance, 'InitialValue');
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  sameAmount(bare.InitialValue, bareFields.balance, 'InitialValue of a voided card without a recipient');
  const expired = await expiredPayload(t);
  if (expired) sameAmount(expired.payload.InitialValue, expired.card.initial, 'InitialValue in giftcard/expired');
});

clause('delivery.payload.balance-after-event', { needs }, async (t) => {
  sameAmount((await delivered(t, 'gifted', 'giftcard/gifted')).payload.Balance, giftedFields.balance, 'Balance of a new gift');
  const { payload } = await delivered(t, 'notified', 'giftcard/updated');
  sameAmount(payload.Balance, notifiedFields.balance, 'Balance of a new card');
  for (const who of ['gifted', 'bare'] as const)
    sameAmount((await delivered(t, who, 'giftcard/voided')).payload.Balance, 0, 'Balance after a void');
  const expired = await expiredPayload(t);
  if (expired)
    same(expired.payload.Balance, expired.card.balance, 'Balance in giftcard/expired, as looking the card up shows it');
});

clause('delivery.payload.total-issued-counts-top-ups', { needs }, async (t) => {
  const { payload, scenario: made } = await delivered(t, 'gifted', 'giftcard/voided');
  const total = giftedFields.balance + made.toppedUp;
  sameAmount(payload.TotalIssuedAmount, total, 'TotalIssuedAmount of a card that was topped up, redeemed and voided');
  const issued = (await delivered(t, 'gifted', 'giftcard/gifted')).payload;
  sameAmount(issued.TotalIssuedAmount, giftedFields.balance, 'TotalIssuedAmount of a new card');
  const notified = (await delivered(t, 'notified', 'giftcard/updated')).payload;
  sameAmount(notified.TotalIssuedAmount, notifiedFields.balance, 'TotalIssuedAmount of a new card that is no gift');
});

/** The digits that count: separators and zeros at either end depend on the style. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '');

clause('delivery.payload.formatted-amounts', { needs }, async (t) => {
  for (const payload of await payloads(t)) {
    for (const name of ['InitialValue', 'Balance', 'TotalIssuedAmount']) {
      const [amount, text] = [payload[name], payload[`Formatted${name}`]];
      const shows = typeof text === 'string' && /\p{Nd}/u.test(text) && /\p{Sc}|\p{L}/u.test(text);
      holds(shows, `Formatted${name} as text with a number and a currency`, JSON.stringify(text));
      // Other digits than these ten are somebody's style.
      if (/\d/.test(String(text))) same(digitsOf(String(text)), digitsOf(money(Number(amount))), `digits of Formatted${name}`);
    }
  }
});

clause('delivery.payload.currency', { needs }, async (t) => {
  const { cards } = await deliveryScenario(t);
  for (const who of ['gifted', 'notified', 'bare'] as const)
    for (const { Currency, WebhookTopic } of await payloadsOf(t, who))
      same(Currency, giftCard(cards[who].answer).currency, `Currency in ${WebhookTopic}`);
});

clause('delivery.payload.expiry', { needs }, async (t) => {
  const expired = await expiredPayload(t);
  if (expired) {
    const { expiresAtUtc } = expired.card;
    same(told(instantOf(expired.payload.ExpiresAtUtc)), expiresAtUtc, 'ExpiresAtUtc in giftcard/expired');
  }
  const { payload } = await delivered(t, 'gifted', 'giftcard/voided');
  same(told(instantOf(payload.ExpiresAtUtc)), giftedFields.expiresAtUtc, 'ExpiresAtUtc');
  const other = orNull((await delivered(t, 'bare', 'giftcard/voided')).payload, 'ExpiresAtUtc');
  if (other === null) return;
  holds(instantOf(other) !== undefined, 'null or a date and time as ExpiresAtUtc', JSON.stringify(other));
  t.doesNotCheck('null for a card without an expiry: the account seems to have a default');
});

clause('delivery.payload.recipient', { needs }, async (t) => {
  const gifted = (await delivered(t, 'gifted', 'giftcard/gifted')).payload;
  same(gifted.RecipientName, giftedFields.recipientName, 'RecipientName');
  same(gifted.RecipientEmailAddress, giftedFields.recipientEmailAddress, 'RecipientEmailAddress');
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  same(orEmpty(bare, 'RecipientName'), null, 'RecipientName of a card without a recipient');
  same(orEmpty(bare, 'RecipientEmailAddress'), null, 'RecipientEmailAddress of a card without a recipient');
});

clause('delivery.payload.buyer-of-gifted-card', { needs }, async (t) => {
  for (const topic of ['giftcard/gifted', 'giftcard/voided'] as const) {
    const { payload } = await delivered(t, 'gifted', topic);
    same(payload.BuyerName, giftedFields.buyerName, 'BuyerName of a gift');
    same(payload.BuyerEmail, giftedFields.buyerEmailAddress, 'BuyerEmail of a gift');
  }
});

clause('delivery.payload.buyer-falls-back', { needs }, async (t) => {
  const { payload } = await delivered(t, 'notified', 'giftcard/updated');
  same(payload.BuyerName, notifiedFields.recipientName, 'BuyerName of a card that is no gift');
  same(payload.BuyerEmail, notifiedFields.recipientEmailAddress, 'BuyerEmail of a card that is no gift');
});

clause('delivery.payload.gift-message', { needs }, async (t) => {
  for (const { GiftCardMessage, WebhookTopic } of await payloadsOf(t, 'gifted'))
    same(GiftCardMessage, giftedFields.giftMessage, `GiftCardMessage in ${WebhookTopic}`);
  const bare = (await delivered(t, 'bare', 'giftcard/voided')).payload;
  same(orEmpty(bare, 'GiftCardMessage'), null, 'GiftCardMessage of a card without one');
});

clause('delivery.payload.status-after-event', { needs }, async (t) => {
  same((await delivered(t, 'gifted', 'giftcard/gifted')).payload.Status, 'Active', 'Status of a new gift');
  same((await delivered(t, 'notified', 'giftcard/updated')).payload.Status, 'Active', 'Status of a new card');
  for (const who of ['gifted', 'bare'] as const)
    same((await delivered(t, who, 'giftcard/voided')).payload.Status, 'Voided', 'Status after a void');
  const expired = await expiredPayload(t);
  if (expired) same(expired.payload.Status, 'Expired', 'Status after an expiry');
});

clause('delivery.payload.promotional', { needs }, async (t) => {
  for (const who of ['gifted', 'notified', 'bare'] as const)
    for (const { IsPromotional, WebhookTopic } of await payloadsOf(t, who))
      same(IsPromotional, who === 'gifted', `IsPromotional in ${WebhookTopic} of the card ${who}`);
});

clause('delivery.payload.store-credit', { needs }, async (t) => {
  t.doesNotCheck('that store credit is told apart: no request makes any');
  for (const { IsStoreCredit } of await payloads(t)) same(IsStoreCredit, false, 'IsStoreCredit of a gift card');
});

clause('delivery.payload.links', { needs }, async (t) => {
  for (const payload of await payloads(t))
    for (const name of ['AppleWalletUrl', 'GoogleWalletUrl', 'PdfUrl', 'ViewBalanceUrl']) isLink(payload[name], name);
});

clause('delivery.payload.gift-to-friend-link', { needs }, async (t) => {
  t.doesNotCheck('that it is null on store credit: no request makes any');
  const found = await payloads(t);
  // It may be null, and of a card that is nothing to give any more that is not excluded.
  const given = found.filter(({ Status, GiftToFriendUrl }) => Status === 'Active' || (GiftToFriendUrl ?? null) !== null);
  if (given.length === 0) throw new Blocked('nothing was delivered about an Active card');
  for (const { GiftToFriendUrl } of given) isLink(GiftToFriendUrl, 'GiftToFriendUrl');
});

function isLink(value: unknown, name: string): void {
  const isUrl = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  holds(isUrl, `a link as ${name}`, JSON.stringify(value));
}

clause('delivery.payload.batch', { needs }, async (t) => {
  t.doesNotCheck('that it is set on a card from a batch: no request makes one');
  for (const payload of await payloads(t))
    same(orEmpty(payload, 'GiftCardBatchId'), null, 'GiftCardBatchId of a card from no batch');
});

clause('delivery.payload.campaign', { needs }, async (t) => {
  t.doesNotCheck('that it is set on a card that a campaign sent: no request makes one');
  for (const payload of await payloads(t))
    same(orEmpty(payload, 'CampaignId'), null, 'CampaignId of a card that no campaign sent');
});

clause('delivery.payload.topic', { needs }, async (t) => {
  const topics = ['updated', 'gifted', 'reminder', 'voided', 'expired'].map((topic) => `giftcard/${topic}`);
  const found = await payloads(t);
  for (const { WebhookTopic } of found)
    holds(topics.includes(String(WebhookTopic)), `one of ${topics.join(', ')}`, JSON.stringify(WebhookTopic));
});
