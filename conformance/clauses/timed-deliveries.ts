import { clause } from '../core/clause.ts';
import { expectSame, expectThat } from '../core/expect.ts';
import { signatureName, signatureOf, unlessLate } from '../scenarios/deliveries.ts';
import { expiredDelivery, expiryToken, scheduledGifts } from '../scenarios/single-deliveries.ts';

/**
 * Deliveries that time causes. They advance the clock of the run's account and not those of other accounts, so they are declared after the tests that
 * adjust cards of other accounts.
 */

const needs = ['receiver', 'clock'] as const;

clause('delivery.expired.on-expiry', { needs }, async (t, { clock }) => {
  const { plain, signed, isEarly } = await expiredDelivery(t, clock);
  expectThat(!isEarly, 'no giftcard/expired half an hour before the expiry', 'one');
  unlessLate(t, () => {
    expectThat(plain !== undefined, 'giftcard/expired of a card that expired', 'none');
    expectThat(signed !== undefined, 'giftcard/expired at a second webhook, too', 'none');
  });
  expectSame(signed?.headers[signatureName], signatureOf(signed?.bytes ?? '', expiryToken), 'signature of giftcard/expired');
});

clause('emails.gifted-deferred', { needs }, async (t, { clock }) => {
  t.doesNotCheck('the email itself, which giftcard/gifted announces');
  const { deferred } = await scheduledGifts(t, clock);
  expectThat(!deferred.before.includes('giftcard/gifted'), 'no giftcard/gifted before the date of the gift', 'one');
  const isGifted = deferred.after.includes('giftcard/gifted');
  unlessLate(t, () => expectThat(isGifted, 'giftcard/gifted after the date of the gift', 'none'));
});
