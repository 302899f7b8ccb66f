import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/voiding.yaml. */
export const voidingProbes = {} satisfies Partial<Probes>;
