import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/webhooks.yaml. */
export const webhooksProbes = {} satisfies Partial<Probes>;
