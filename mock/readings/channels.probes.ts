import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/channels.yaml. */
export const channelsProbes = {} satisfies Partial<Probes>;
