import type { StatedRule } from '../../openapi/generated/rules.ts';
import { expectSame, expectThat, expectTime } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { givenExpiryBesidesDefault } from '../scenarios/card-dates.ts';
import type { DeliveryPayload, DeliveryTopic } from '../scenarios/delivery-content.ts';
import { type CardName, deliveryScenario } from '../scenarios/delivery-scenario.ts';
import { controlDelivered, expectPayload, payloadOf } from '../scenarios/payloads.ts';
import { giftedFields, notifiedFields } from '../scenarios/shared-cards.ts';

const needs = ['receiver'] as const;

const { recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage } = giftedFields;
const recipient = { RecipientName: recipientName, RecipientEmailAddress: recipientEmailAddress };
const buyer = { BuyerName: buyerName, BuyerEmail: buyerEmailAddress };
const recipientAsBuyer = { BuyerName: notifiedFields.recipientName, BuyerEmail: notifiedFields.recipientEmailAddress };

type Row = readonly [who: CardName, topic: DeliveryTopic, values: DeliveryPayload];

const shown = {
  'gift-card.create.initial-value-is-balance': [
    ['gifted', 'giftcard/gifted', { InitialValue: giftedFields.balance }],
    ['gifted', 'giftcard/voided', { InitialValue: giftedFields.balance }],
  ],
  'gift-card.create.stores-recipient': [['gifted', 'giftcard/gifted', recipient]],
  'gift-card.create.stores-buyer': [['gifted', 'giftcard/gifted', buyer]],
  'gift-card.create.stores-gift-message': [['gifted', 'giftcard/gifted', { GiftCardMessage: giftMessage }]],
  'gift-card.create.marks-promotional': [['gifted', 'giftcard/gifted', { IsPromotional: true }]],
  'delivery.payload.recipient': [
    ['gifted', 'giftcard/gifted', recipient],
    ['bare', 'giftcard/voided', { RecipientName: null, RecipientEmailAddress: null }],
  ],
  'delivery.payload.buyer-of-gifted-card': [
    ['gifted', 'giftcard/gifted', buyer],
    ['gifted', 'giftcard/voided', buyer],
  ],
  'delivery.payload.buyer-falls-back': [['notified', 'giftcard/updated', recipientAsBuyer]],
} satisfies { [name in StatedRule]?: readonly Row[] };

for (const [name, rows] of Object.entries(shown) as [StatedRule, Row[]][])
  rule(name, { needs }, async (t) => {
    for (const row of rows) await expectPayload(t, ...row);
  });

rule('gift-card.create.keeps-given-expiry', { needs }, async (t) => {
  const { ExpiresAtUtc } = await payloadOf(t, 'gifted', 'giftcard/gifted');
  const given = giftedFields.expiresAtUtc;
  expectTime(ExpiresAtUtc, given, 'ExpiresAtUtc');
  const besidesDefault = await givenExpiryBesidesDefault(t, giftedFields.expiresAtUtc);
  if (besidesDefault !== undefined) expectTime(besidesDefault, given, 'ExpiresAtUtc on an account with a default expiry');
  else t.doesNotCheck('an account with a default expiry: the profile names no such account');
});

// Between the two deliveries, the scenario tops up, redeems and voids the card.
rule('gift-card.expiry-and-recipient.fixed-after-create', { needs }, async (t) => {
  const before = await payloadOf(t, 'gifted', 'giftcard/gifted');
  const after = await payloadOf(t, 'gifted', 'giftcard/voided');
  for (const name of ['ExpiresAtUtc', 'RecipientName', 'RecipientEmailAddress']) expectSame(after[name], before[name], name);
});

rule('adjustment.delivers-no-update', { needs }, async (t) => {
  const { of, boxes, cards, topUps } = await deliveryScenario(t);
  if (topUps < 2) t.doesNotCheck("adjustments by ID: the run did not find the field name for the card's ID");
  for (const who of ['gifted', 'notified'] as const) {
    await controlDelivered(t, who, 'giftcard/voided');
    for (const { payload } of of(boxes.signed, cards[who], 'giftcard/updated')) {
      // The issue and the void of a card may send giftcard/updated. An adjustment must not.
      const { Status, Balance, InitialValue, TotalIssuedAmount } = payload ?? {};
      const isOfIssue = Balance === InitialValue && TotalIssuedAmount === InitialValue;
      const isLawful = isOfIssue || Status === 'Voided';
      expectThat(isLawful, 'no giftcard/updated of an adjustment', `a delivery with the balance ${String(Balance)}`);
    }
  }
});
