import { clause } from '../core/clause.ts';
import { holds, same } from '../core/expect.ts';
import { signatureName, signatureOf, unlessLate } from '../scenarios/deliveries.ts';
import { expiredDelivery, expiryToken, scheduledGifts } from '../scenarios/single-deliveries.ts';

/** What is stated of deliveries whose moment comes by itself. */

const needs = ['receiver', 'clock'] as const;

clause('delivery.expired.on-expiry', { needs }, async (t, { clock }) => {
  const { plain, signed, isEarly } = await expiredDelivery(t, clock);
  holds(!isEarly, 'no giftcard/expired half an hour before the expiry', 'one');
  unlessLate(t, () => {
    holds(plain !== undefined, 'giftcard/expired of a card that has expired', 'none');
    holds(signed !== undefined, 'giftcard/expired at a second webhook as well', 'none');
  });
  same(signed?.headers[signatureName], signatureOf(signed?.bytes ?? '', expiryToken), 'signature of giftcard/expired');
});

clause('emails.gifted-deferred', { needs }, async (t, { clock }) => {
  t.doesNotCheck('the email itself, of which giftcard/gifted tells');
  const { deferred } = await scheduledGifts(t, clock);
  holds(!deferred.before.includes('giftcard/gifted'), 'no giftcard/gifted before the moment of the gift', 'one');
  unlessLate(t, () =>
    holds(deferred.after.includes('giftcard/gifted'), 'giftcard/gifted once the moment of the gift has come', 'none'),
  );
});
