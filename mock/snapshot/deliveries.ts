import type { DeliveriesState } from '../outbound/deliveries.ts';
import type { Shape } from './shape.ts';

/** Not checked until the schema is generated from the types. */
export const deliveries: Shape<DeliveriesState> = (value) => value as DeliveriesState;
