import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/http.yaml. */
export const httpProbes = {} satisfies Partial<Probes>;
