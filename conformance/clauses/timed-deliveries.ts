import { expiredDelivery } from '../arrange/expired-delivery.ts';
import { timedGifts } from '../arrange/timed-gifts.ts';
import { clause } from '../clause.ts';
import { holds } from '../expect.ts';

/** What is stated of deliveries whose moment comes by itself. */

const needs = ['receiver', 'clock'] as const;

clause('delivery.expired.on-expiry', { needs }, async (t, { clock }) => {
  holds((await expiredDelivery(t, clock)) !== undefined, 'giftcard/expired of a card that has expired', 'none');
});

clause('emails.gifted-deferred', { needs }, async (t, { clock }) => {
  t.notJudged = 'the email itself, of which giftcard/gifted tells';
  const { deferred } = await timedGifts(t, clock);
  holds(!deferred.before.includes('giftcard/gifted'), 'no giftcard/gifted before the moment of the gift', 'one');
  holds(deferred.after.includes('giftcard/gifted'), 'giftcard/gifted once the moment of the gift has come', 'none');
});
