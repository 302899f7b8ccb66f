import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/cards.yaml. */
export const cardsProbes = {} satisfies Partial<Probes>;
