import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/finding.yaml. */
export const findingProbes = {} satisfies Partial<Probes>;
