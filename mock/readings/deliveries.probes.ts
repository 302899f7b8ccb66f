import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/deliveries.yaml. */
export const deliveriesProbes = {} satisfies Partial<Probes>;
