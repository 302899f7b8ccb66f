// What holds where no flag says otherwise; what a safe run may do stands in safety/policy.ts.

/** Seed of odd input and sequences, so that the cost of a run is known beforehand. */
export const usualSeed = 1;

/** Requests a minute where a target is somebody's live account. */
export const gentleRate = 60;

/** Days after which a fact that was not seen again is old: a quarter of a year. */
export const usuallyOldAfter = 90;

/** Sequences of a fuzz run, and steps of the longest. */
export const usualRuns = 100;
export const usualSteps = 20;
