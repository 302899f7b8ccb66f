import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/states.yaml. */
export const statesProbes = {} satisfies Partial<Probes>;
