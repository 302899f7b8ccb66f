import type { Delivery } from './delivery.ts';

/** A delivery by its place among those that are kept, or, when it is not kept any more, as it is. */
export type DeliveryReference = number | Delivery;

export type Refer = (delivery: Delivery) => DeliveryReference;

export type Find = (reference: DeliveryReference) => Delivery;

/** How a value refers to deliveries, of which these are kept. */
export function referringTo(kept: readonly Delivery[]): Refer {
  const places = new Map(kept.map((delivery, place) => [delivery, place]));
  return (delivery) => places.get(delivery) ?? { ...delivery };
}

/** What finds a delivery that is referred to. One that is not kept is the same delivery wherever it is referred to. */
export function foundAmong(kept: readonly Delivery[]): Find {
  const others = new Map<string, Delivery>();
  return (reference) => {
    if (typeof reference === 'number') return kept[reference] as Delivery;
    const found = others.get(reference.requestId) ?? { ...reference };
    others.set(found.requestId, found);
    return found;
  };
}
