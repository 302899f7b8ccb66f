import { expectThat } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { Blocked } from '../core/verdict.ts';
import { Untested } from '../safety/policy.ts';
import { missingDelivery, topicsOf } from '../scenarios/delivery-content.ts';
import { timedDeliveries } from '../scenarios/single-deliveries.ts';

// These tests advance the clock of the run's account. The clocks of other accounts may stay behind, so tests that adjust cards of other accounts must come first.

const needs = ['receiver', 'clock'] as const;

rule('delivery.expired.on-expiry', { needs }, async (t, { clock }) => {
  const { card, expired, insteadOfExpired, hasVoid, missing } = await timedDeliveries(t, clock);
  if (card.status !== 'Expired') throw new Untested('control-failed', `a card is ${String(card.status)} after its expiry`);
  t.reliesOn(missing);
  if (!hasVoid) throw new Blocked(missingDelivery('giftcard/voided'));
  expectThat(!expired.isEarly, 'no giftcard/expired half an hour before the expiry', 'giftcard/expired');
  const { plain, signed } = expired;
  expectThat(plain !== undefined, 'giftcard/expired of a card that expired', topicsOf(insteadOfExpired));
  expectThat(signed !== undefined, 'giftcard/expired at a second webhook, too', 'none');
});

rule('emails.gifted-deferred', { needs }, async (t, { clock }) => {
  t.doesNotCheck('the email itself, which giftcard/gifted announces');
  const { gifted, missing } = await timedDeliveries(t, clock);
  expectThat(!gifted.isEarly, 'no giftcard/gifted before the date of the gift', 'giftcard/gifted');
  t.reliesOn(missing);
  expectThat(gifted.came, 'giftcard/gifted after the date of the gift', 'none');
});
