/** Seed of generated input and sequences. The seed is fixed, so that the cost of a run is known in advance. */
export const defaultSeed = 1;

/** Requests per minute to a remote target. */
export const remoteRate = 60;

export const defaultSequences = 100;
export const defaultSteps = 20;

export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** Effects that a safe run causes only with --allow. `void-deliveries` are deliveries about voided cards to the webhooks that the account already has. */
export const allowances = ['email', 'webhooks', 'void-deliveries', 'automation', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];
