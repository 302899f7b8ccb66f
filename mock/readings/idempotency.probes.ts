import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/idempotency.yaml. */
export const idempotencyProbes = {} satisfies Partial<Probes>;
