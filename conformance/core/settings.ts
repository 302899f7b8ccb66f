// What holds where no flag says otherwise; what a safe run may do stands in safety/policy.ts.

/** Seed of odd input and sequences, so that the cost of a run is known beforehand. */
export const defaultSeed = 1;

/** Requests a minute where a target is somebody's live account. */
export const remoteRate = 60;

/** Sequences of a fuzz run, and steps of the longest. */
export const defaultSequences = 100;
export const defaultSteps = 20;

/** What a run may do on the target's account. */
export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** What a safe run does only with --allow. */
export const allowances = ['email', 'webhooks', 'automation', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];
