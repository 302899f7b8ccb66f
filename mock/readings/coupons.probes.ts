import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/coupons.yaml. */
export const couponsProbes = {} satisfies Partial<Probes>;
