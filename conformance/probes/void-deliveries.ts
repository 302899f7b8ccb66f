import { probe } from '../core/clause.ts';
import { Untested } from '../core/verdict.ts';
import { season } from '../scenarios/delivery-scenario.ts';

const needs = ['receiver'] as const;

probe('gift-card.void.again-delivers', { needs }, async (t) => {
  const { of, boxes, cards } = await season(t);
  const times = of(boxes.signed, cards.gifted, 'giftcard/voided').length;
  const last = of(boxes.signed, cards.bare, 'giftcard/voided').length;
  if (times === 0 || last === 0) throw new Untested('control-failed', 'the first void, or one after the second, did not arrive');
  return times > 1 ? 'yes' : 'no';
});

probe('gift-card.void.update-delivery', { needs }, async (t) => {
  const { of, boxes, cards } = await season(t);
  if (of(boxes.signed, cards.bare, 'giftcard/voided').length === 0)
    throw new Untested('control-failed', 'the last void did not arrive');
  const updates = [cards.notified, cards.quiet].flatMap((on) => of(boxes.signed, on, 'giftcard/updated'));
  return updates.some(({ payload }) => payload?.Status === 'Voided') ? 'yes' : 'no';
});
