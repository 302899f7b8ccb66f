import type { Probes } from './probe.ts';

/** The questions of openapi/clauses/creating.yaml. */
export const creatingProbes = {
  'gift-card.create.zero-balance': {
    observe: ({ ask }) => ask('POST', '/api/GiftCard/Create', { balance: 0 }).status,
    shows: { accepted: 200, refused: 400 },
  },
} satisfies Partial<Probes>;
