import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/lists.yaml. */
export const listsProbes = {} satisfies Partial<Probes>;
