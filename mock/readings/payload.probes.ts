import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/payload.yaml. */
export const payloadProbes = {} satisfies Partial<Probes>;
