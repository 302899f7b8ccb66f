import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/authentication.yaml. */
export const authenticationProbes = {} satisfies Partial<Probes>;
