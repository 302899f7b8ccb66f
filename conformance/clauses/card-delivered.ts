import { clause } from '../core/clause.ts';
import { expectSame, expectThat } from '../core/expect.ts';
import { instantOf } from '../http/json-search.ts';
import { givenExpiryBesidesDefault } from '../scenarios/card-dates.ts';
import { deliveryScenario, expectPayload, payloadOf } from '../scenarios/delivery-scenario.ts';
import { giftedFields } from '../scenarios/shared-cards.ts';

/** Statements about cards that only deliveries show. */

const needs = ['receiver'] as const;

clause('gift-card.create.initial-value-is-balance', { needs }, async (t) => {
  for (const topic of ['giftcard/gifted', 'giftcard/voided'] as const)
    await expectPayload(t, 'gifted', topic, { InitialValue: giftedFields.balance });
});

clause('gift-card.create.keeps-given-expiry', { needs }, async (t) => {
  const { ExpiresAtUtc } = await payloadOf(t, 'gifted', 'giftcard/gifted');
  const given = Date.parse(giftedFields.expiresAtUtc);
  expectSame(instantOf(ExpiresAtUtc), given, 'the time of ExpiresAtUtc');
  const besidesDefault = await givenExpiryBesidesDefault(t, giftedFields.expiresAtUtc);
  if (besidesDefault !== undefined)
    expectSame(instantOf(besidesDefault), given, 'the time of ExpiresAtUtc on an account with a default expiry');
  else t.doesNotCheck('whether it wins over a default: the profile names no account with a default expiry');
});

const { recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage } = giftedFields;

clause('gift-card.create.stores-recipient', { needs }, async (t) => {
  const recipient = { RecipientName: recipientName, RecipientEmailAddress: recipientEmailAddress };
  await expectPayload(t, 'gifted', 'giftcard/gifted', recipient);
});

clause('gift-card.create.stores-buyer', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/gifted', { BuyerName: buyerName, BuyerEmail: buyerEmailAddress });
});

clause('gift-card.create.stores-gift-message', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/gifted', { GiftCardMessage: giftMessage });
});

clause('gift-card.create.marks-promotional', { needs }, async (t) => {
  await expectPayload(t, 'gifted', 'giftcard/gifted', { IsPromotional: true });
});

/** Between the two deliveries the card was topped up, redeemed and voided. */
clause('gift-card.expiry-and-recipient.fixed-after-create', { needs }, async (t) => {
  const before = await payloadOf(t, 'gifted', 'giftcard/gifted');
  const after = await payloadOf(t, 'gifted', 'giftcard/voided');
  for (const name of ['ExpiresAtUtc', 'RecipientName', 'RecipientEmailAddress']) expectSame(after[name], before[name], name);
});

clause('adjustment.delivers-no-update', { needs }, async (t) => {
  const { of, boxes, cards, topUps } = await deliveryScenario(t);
  if (topUps < 2) t.doesNotCheck('adjustments by ID: no body field that names the card was found');
  for (const on of [cards.gifted, cards.notified]) {
    await t.control('the void after the adjustments arrived', async () =>
      expectThat(of(boxes.signed, on, 'giftcard/voided').length > 0, `giftcard/voided of ${on.name}`, 'none'),
    );
    for (const { payload } of of(boxes.signed, on, 'giftcard/updated')) {
      // The issue may send one, and so may the void.
      const { Status, Balance, InitialValue, TotalIssuedAmount } = payload ?? {};
      const isOfIssue = Balance === InitialValue && TotalIssuedAmount === InitialValue;
      const isLawful = isOfIssue || Status === 'Voided';
      expectThat(isLawful, 'no giftcard/updated of an adjustment', `one with the balance ${String(Balance)}`);
    }
  }
});
