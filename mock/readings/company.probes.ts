import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/company.yaml. */
export const companyProbes = {} satisfies Partial<Probes>;
