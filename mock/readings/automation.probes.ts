import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/automation.yaml. */
export const automationProbes = {} satisfies Partial<Probes>;
