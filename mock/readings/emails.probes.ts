import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/emails.yaml. */
export const emailsProbes = {} satisfies Partial<Probes>;
