import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/history.yaml. */
export const historyProbes = {} satisfies Partial<Probes>;
