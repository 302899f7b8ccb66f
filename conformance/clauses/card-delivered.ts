import { clause } from '../core/clause.ts';
import { expectAmount, expectSame, expectThat } from '../core/expect.ts';
import { instantOf } from '../http/json-search.ts';
import { givenExpiryBesidesDefault } from '../scenarios/card-dates.ts';
import { getDelivery } from '../scenarios/deliveries.ts';
import { deliveryScenario } from '../scenarios/delivery-scenario.ts';
import { giftedFields } from '../scenarios/shared-cards.ts';

/** Statements about cards that only deliveries show. */

const needs = ['receiver'] as const;

clause('gift-card.create.initial-value-is-balance', { needs }, async (t) => {
  for (const topic of ['giftcard/gifted', 'giftcard/voided'] as const)
    expectAmount((await getDelivery(t, 'gifted', topic)).payload.InitialValue, giftedFields.balance, `InitialValue in ${topic}`);
});

clause('gift-card.create.keeps-given-expiry', { needs }, async (t) => {
  const { ExpiresAtUtc } = (await getDelivery(t, 'gifted', 'giftcard/gifted')).payload;
  const given = Date.parse(giftedFields.expiresAtUtc);
  expectSame(instantOf(ExpiresAtUtc), given, 'the time of ExpiresAtUtc');
  const besidesDefault = await givenExpiryBesidesDefault(t, giftedFields.expiresAtUtc);
  if (besidesDefault !== undefined)
    expectSame(instantOf(besidesDefault), given, 'the time of ExpiresAtUtc on an account with a default expiry');
  else t.doesNotCheck('whether it wins over a default: the profile names no account with a default expiry');
});

clause('gift-card.create.stores-recipient', { needs }, async (t) => {
  const { payload } = await getDelivery(t, 'gifted', 'giftcard/gifted');
  expectSame(payload.RecipientName, giftedFields.recipientName, 'RecipientName');
  expectSame(payload.RecipientEmailAddress, giftedFields.recipientEmailAddress, 'RecipientEmailAddress');
});

clause('gift-card.create.stores-buyer', { needs }, async (t) => {
  const { payload } = await getDelivery(t, 'gifted', 'giftcard/gifted');
  expectSame(payload.BuyerName, giftedFields.buyerName, 'BuyerName of a gift');
  expectSame(payload.BuyerEmail, giftedFields.buyerEmailAddress, 'BuyerEmail of a gift');
});

clause('gift-card.create.stores-gift-message', { needs }, async (t) => {
  expectSame(
    (await getDelivery(t, 'gifted', 'giftcard/gifted')).payload.GiftCardMessage,
    giftedFields.giftMessage,
    'GiftCardMessage',
  );
});

clause('gift-card.create.marks-promotional', { needs }, async (t) => {
  expectSame(
    (await getDelivery(t, 'gifted', 'giftcard/gifted')).payload.IsPromotional,
    true,
    'IsPromotional of a promotional card',
  );
});

/** Between the two deliveries the card was topped up, redeemed and voided. */
clause('gift-card.expiry-and-recipient.fixed-after-create', { needs }, async (t) => {
  const before = (await getDelivery(t, 'gifted', 'giftcard/gifted')).payload;
  const after = (await getDelivery(t, 'gifted', 'giftcard/voided')).payload;
  for (const name of ['ExpiresAtUtc', 'RecipientName', 'RecipientEmailAddress']) expectSame(after[name], before[name], name);
});

clause('adjustment.delivers-no-update', { needs }, async (t) => {
  const { of, boxes, cards, adjustedById } = await deliveryScenario(t);
  if (!adjustedById) t.doesNotCheck('adjustments by ID: no body field that names the card was found');
  const adjusted = [cards.gifted, cards.notified];
  await t.control('the voids after the adjustments arrived', async () => {
    for (const on of adjusted)
      expectThat(of(boxes.signed, on, 'giftcard/voided').length > 0, `giftcard/voided of ${on.name}`, 'none');
  });
  for (const on of adjusted)
    for (const { payload } of of(boxes.signed, on, 'giftcard/updated')) {
      // The issue may send one, and so may the void.
      const { Status, Balance, InitialValue, TotalIssuedAmount } = payload ?? {};
      const isOfIssue = Balance === InitialValue && TotalIssuedAmount === InitialValue;
      expectThat(
        isOfIssue || Status === 'Voided',
        'no giftcard/updated of an adjustment',
        `one with the balance ${String(Balance)}`,
      );
    }
});
