import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/adjustments.yaml. */
export const adjustmentsProbes = {} satisfies Partial<Probes>;
