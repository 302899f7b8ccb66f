import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/limits.yaml. */
export const limitsProbes = {} satisfies Partial<Probes>;
