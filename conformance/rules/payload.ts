import { lists } from '../../openapi/generated/lists.ts';
import type { StatedRule } from '../../openapi/generated/rules.ts';
import { payloadNames } from '../core/contract.ts';
import { expectAmount, expectSame, expectThat, expectTime, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { Blocked } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import { getById } from '../scenarios/cards.ts';
import { foreignCurrency, money } from '../scenarios/currency.ts';
import type { DeliveryPayload } from '../scenarios/delivery-content.ts';
import { deliveryScenario } from '../scenarios/delivery-scenario.ts';
import { expectPayload, payloadOf, payloadsOf } from '../scenarios/payloads.ts';
import { giftedFields, notifiedFields } from '../scenarios/shared-cards.ts';
import { expiredPayload, fixtureDelivery, voidedDelivery } from '../scenarios/single-deliveries.ts';

const needs = ['receiver'] as const;

rule('delivery.payload.has-every-property', { needs }, async (t) => {
  for (const payload of await payloadsOf(t)) {
    const missing = payloadNames.required.filter((name) => !(name in payload));
    expectSame(missing, [], 'missing properties that are not nullable');
  }
});

rule('delivery.payload.pascal-case-names', { needs }, async (t) => {
  const byLowerCase = new Map(payloadNames.known.map((name) => [name.toLowerCase(), name]));
  const isRight = (name: string) => /^[A-Z][A-Za-z0-9]*$/.test(name) && (byLowerCase.get(name.toLowerCase()) ?? name) === name;
  const names = (await payloadsOf(t)).flatMap((payload) => Object.keys(payload));
  const wrong = [...new Set(names)].filter((name) => !isRight(name));
  expectSame(wrong, [], 'names that are not in PascalCase');
});

const guid = /^\{?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i;
const topics: readonly string[] = lists.WebhookTopic;
const isNothing = (value: unknown) => (value || null) === null;

type Expected = readonly [words: string, isRight: (value: unknown) => boolean];
const isNull: Expected = ['null', isNothing];
const isId: Expected = ['an ID', (value) => !isNothing(value)];

const properties: readonly [
  StatedRule,
  string,
  Expected,
  fixture?: Parameters<typeof fixtureDelivery>[1],
  ofFixture?: Expected,
][] = [
  ['delivery.payload.request-id-is-guid', 'RequestId', ['a GUID', (value) => guid.test(String(value))]],
  ['delivery.payload.topic', 'WebhookTopic', [`one of ${topics.join(', ')}`, (value) => topics.includes(String(value))]],
  [
    'delivery.payload.store-credit',
    'IsStoreCredit',
    ['false', (it) => it === false],
    'storeCreditCode',
    ['true', (it) => it === true],
  ],
  ['delivery.payload.batch', 'GiftCardBatchId', isNull, 'batchCode', isId],
  ['delivery.payload.campaign', 'CampaignId', isNull, 'campaignCode', isId],
];

for (const [name, property, expected, fixture, ofFixture = expected] of properties)
  rule(name, { needs }, async (t) => {
    const check = ({ [property]: value }: DeliveryPayload, [words, isRight]: Expected) =>
      expectThat(isRight(value), `${words} as ${property}`, JSON.stringify(value));
    for (const payload of await payloadsOf(t)) check(payload, expected);
    const payload = fixture && (await fixtureDelivery(t, fixture));
    if (payload) check(payload, ofFixture);
  });

rule('delivery.payload.request-id-new-each-time', { needs }, async (t) => {
  const seen = new Map<string, string>();
  for (const { RequestId, WebhookTopic, Code } of await payloadsOf(t)) {
    const [id, event] = [String(RequestId).toLowerCase(), `${String(WebhookTopic)} of ${String(Code)}`];
    expectThat(!seen.has(id), 'a new RequestId for each delivery', `the same for ${seen.get(id)} and for ${event}`);
    seen.set(id, event);
  }
});

rule('delivery.payload.gift-card-id-finds-card', { needs }, async (t) => {
  for (const who of ['gifted', 'bare'] as const) {
    const { GiftCardId } = await payloadOf(t, who, 'giftcard/voided');
    expectThat(typeof GiftCardId === 'string', 'GiftCardId as a string', JSON.stringify(GiftCardId));
    const found = objectIn(await getById(t, String(GiftCardId)), 'the card with that ID');
    expectSame(found.code, (await deliveryScenario(t)).cards[who].code, 'code of the card with that ID');
  }
});

rule('delivery.payload.code', { needs }, async (t) => {
  const { cards, of, boxes } = await deliveryScenario(t);
  await expectPayload(t, 'bare', 'giftcard/voided', { Code: cards.bare.code });
  for (const on of Object.values(cards)) {
    const ids = new Set(of(boxes.signed, on).map((each) => each.payload?.GiftCardId));
    expectThat(ids.size <= 1, 'one GiftCardId for each Code', [...ids].join(', '));
  }
});

const timeText = (time: number | undefined) => (time === undefined ? 'nothing' : new Date(time).toISOString());

rule('delivery.payload.created-at', { needs }, async (t) => {
  const { boxes, cards, of } = await deliveryScenario(t);
  const { CreatedAt } = await payloadOf(t, 'gifted', 'giftcard/voided');
  const times = of(boxes.signed, cards.gifted).map((arrival) => instantOf(arrival.payload?.CreatedAt));
  const [time = 0] = times;
  expectThat(!times.includes(undefined), 'a date and time as CreatedAt', JSON.stringify(CreatedAt));
  expectThat(new Set(times).size === 1, 'the same CreatedAt in all deliveries of a card', times.map(timeText).join(', '));
  const next = instantOf((await payloadOf(t, 'bare', 'giftcard/voided')).CreatedAt) ?? 0;
  expectThat(next >= time, 'a later CreatedAt for a card that was created later', `${timeText(next)} after ${timeText(time)}`);
  const shown = instantOf(issueTime(cards.gifted.response.json));
  if (shown === undefined)
    return t.doesNotCheck('whether CreatedAt equals the time of issue on the card: the card shows no such time');
  // CreatedAt without a zone may be in the account's time zone, so a difference of whole quarters of an hour is accepted.
  const isZoned = /(Z|[+-]\d\d:?\d\d)$/i.test(String(CreatedAt));
  const offset = isZoned ? 0 : Math.round((time - shown) / 900_000) * 900_000;
  const isShown = Math.abs(offset) <= 14 * 3_600_000 && Math.abs(shown + offset - time) < 1_000;
  expectThat(isShown, `CreatedAt = ${timeText(shown)}, as the card shows`, timeText(time));
});

rule('delivery.payload.initial-value', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/voided', { InitialValue: giftedFields.balance });
  await expectPayload(t, 'notified', 'giftcard/updated', { InitialValue: notifiedFields.balance });
  await expectPayload(t, 'bare', 'giftcard/voided', { InitialValue: 1 });
  const expired = await expiredPayload(t);
  if (expired) expectAmount(expired.payload.InitialValue, expired.card.initial, 'InitialValue in giftcard/expired');
});

rule('delivery.payload.balance-after-event', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/gifted', { Balance: giftedFields.balance });
  await expectPayload(t, 'notified', 'giftcard/updated', { Balance: notifiedFields.balance });
  for (const who of ['gifted', 'bare'] as const) await expectPayload(t, who, 'giftcard/voided', { Balance: 0 });
  const expired = await expiredPayload(t);
  if (expired) expectSame(expired.payload.Balance, expired.card.balance, 'Balance in giftcard/expired, compared with the card');
});

rule('delivery.payload.total-issued-counts-top-ups', { needs }, async (t) => {
  const { topUps } = await deliveryScenario(t);
  await expectPayload(t, 'gifted', 'giftcard/voided', { TotalIssuedAmount: giftedFields.balance + 0.25 * topUps });
  await expectPayload(t, 'gifted', 'giftcard/gifted', { TotalIssuedAmount: giftedFields.balance });
  await expectPayload(t, 'notified', 'giftcard/updated', { TotalIssuedAmount: notifiedFields.balance });
});

/** Returns the digits of a formatted amount. Removes separators, leading zeros and trailing zeros, because they depend on the format. */
const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '');

rule('delivery.payload.formatted-amounts', { needs }, async (t) => {
  const { secondKey } = t.run.profile;
  if (secondKey === undefined) t.doesNotCheck('amounts in another currency: the profile has no secondKey');
  const other = secondKey === undefined ? [] : [await voidedDelivery(t, {}, secondKey)];
  for (const payload of [...(await payloadsOf(t)), ...other])
    for (const name of ['InitialValue', 'Balance', 'TotalIssuedAmount']) {
      const [amount, text] = [payload[name], payload[`Formatted${name}`]];
      const isFormatted = typeof text === 'string' && /\p{Nd}/u.test(text) && /\p{Sc}|\p{L}/u.test(text);
      expectThat(isFormatted, `Formatted${name} as text with a number and a currency`, JSON.stringify(text));
      const foreign = foreignCurrency(String(text), String(payload.Currency));
      expectThat(foreign === undefined, `Formatted${name} in ${String(payload.Currency)}`, String(text));
      // The account's language may have other digits than 0 to 9, and the second account other decimals. Such amounts are not compared.
      if (/\d/.test(String(text)) && !other.includes(payload))
        expectSame(digitsOf(String(text)), digitsOf(money(Number(amount))), `digits of Formatted${name}`);
    }
});

rule('delivery.payload.currency', { needs }, async (t) => {
  const { cards } = await deliveryScenario(t);
  for (const who of ['gifted', 'notified', 'bare'] as const)
    for (const { Currency, WebhookTopic } of await payloadsOf(t, who))
      expectSame(Currency, objectIn(cards[who].response).currency, `Currency in ${String(WebhookTopic)}`);
});

rule('delivery.payload.expiry', { needs }, async (t) => {
  const expired = await expiredPayload(t);
  if (expired) expectTime(expired.payload.ExpiresAtUtc, expired.card.expiresAtUtc, 'ExpiresAtUtc in giftcard/expired');
  const { ExpiresAtUtc } = await payloadOf(t, 'gifted', 'giftcard/voided');
  expectTime(ExpiresAtUtc, giftedFields.expiresAtUtc, 'ExpiresAtUtc');
  const { ExpiresAtUtc: other = null } = await payloadOf(t, 'bare', 'giftcard/voided');
  if (other === null) return;
  expectThat(instantOf(other) !== undefined, 'null or a date and time as ExpiresAtUtc', JSON.stringify(other));
  t.doesNotCheck('null for a card without an expiry: the account seems to have a default expiry');
});

rule('delivery.payload.gift-message', { needs }, async (t) => {
  for (const { GiftCardMessage, WebhookTopic } of await payloadsOf(t, 'gifted'))
    expectSame(GiftCardMessage, giftedFields.giftMessage, `GiftCardMessage in ${String(WebhookTopic)}`);
  await expectPayload(t, 'bare', 'giftcard/voided', { GiftCardMessage: null });
});

rule('delivery.payload.status-after-event', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/gifted', { Status: 'Active' });
  await expectPayload(t, 'notified', 'giftcard/updated', { Status: 'Active' });
  for (const who of ['gifted', 'bare'] as const) await expectPayload(t, who, 'giftcard/voided', { Status: 'Voided' });
  const expired = await expiredPayload(t);
  if (expired) expectSame(expired.payload.Status, 'Expired', 'Status after an expiry');
});

rule('delivery.payload.promotional', { needs }, async (t) => {
  for (const who of ['gifted', 'notified', 'bare'] as const)
    for (const { IsPromotional, WebhookTopic } of await payloadsOf(t, who))
      expectSame(IsPromotional, who === 'gifted', `IsPromotional in ${String(WebhookTopic)} of the card "${who}"`);
});

function isLink(value: unknown, name: string): void {
  const isUrl = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  expectThat(isUrl, `a link as ${name}`, JSON.stringify(value));
}

rule('delivery.payload.links', { needs }, async (t) => {
  for (const payload of await payloadsOf(t))
    for (const name of ['AppleWalletUrl', 'GoogleWalletUrl', 'PdfUrl', 'ViewBalanceUrl']) isLink(payload[name], name);
});

rule('delivery.payload.gift-to-friend-link', { needs }, async (t) => {
  const storeCredit = await fixtureDelivery(t, 'storeCreditCode');
  if (storeCredit) expectSame(storeCredit.GiftToFriendUrl || null, null, 'GiftToFriendUrl of store credit');
  // A card without a balance cannot be given to a friend. So if the card is not Active, the link may be null.
  const links = (await payloadsOf(t)).filter(
    ({ Status, GiftToFriendUrl }) => Status === 'Active' || (GiftToFriendUrl ?? null) !== null,
  );
  if (links.length === 0) throw new Blocked('no delivery about an Active card arrived');
  for (const { GiftToFriendUrl } of links) isLink(GiftToFriendUrl, 'GiftToFriendUrl');
});
