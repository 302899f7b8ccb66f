import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/errors.yaml. */
export const errorsProbes = {} satisfies Partial<Probes>;
