import type { DeliveryReference } from '../outbound/delivery.ts';
import type { Records } from '../state/change.ts';
import type { AccountSnapshot } from './account.ts';
import { Misfit } from './misfit.ts';

type Step = string | number;

/** Throws a Misfit where a snapshot speaks of a delivery or of a card that is not in it, and cannot do without. */
export function mustBeThere({ agenda, deliveries, effects }: AccountSnapshot, { cards }: Records): void {
  const delivery = (reference: DeliveryReference, ...steps: Step[]) => {
    if (typeof reference === 'number' && reference >= deliveries.kept.length)
      no(steps, `there are ${deliveries.kept.length} deliveries, so there is none at the place ${reference}.`);
  };
  for (const [n, each] of deliveries.waiting.entries()) delivery(each, 'deliveries', 'waiting', n);

  const ids = new Set(cards.map(({ id }) => id));
  const card = (id: string, ...steps: Step[]) => {
    if (!ids.has(id)) no(steps, `there is no card ${id}.`);
  };
  for (const [n, { cardId }] of agenda.planned.entries()) card(cardId, 'agenda', 'planned', n);
  for (const [n, [cardId]] of agenda.reminders.entries()) card(cardId, 'agenda', 'reminders', n);
  for (const [n, each] of effects.waiting.entries()) {
    if (each.kind === 'dispatch') delivery(each.delivery, 'effects', 'waiting', n);
    else if (each.kind === 'push') card(each.card.id, 'effects', 'waiting', n);
  }
}

function no(steps: readonly Step[], sentence: string): never {
  throw steps.reduceRight<unknown>((error, step) => Misfit.at(step, error), new Misfit(sentence));
}
