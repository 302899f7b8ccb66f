/** What a run may do on the account of a target, and how much of it. */

export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** What a safe run does only when it is told that it may. */
export const allowances = ['email', 'webhooks', 'automation', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];

export interface Policy {
  readonly mode: Mode;
  readonly allow: ReadonlySet<Allowance>;
  /** Cards that may be created, all requests, and the sum of what cards are created with. */
  readonly maxCreates: number;
  readonly maxRequests: number;
  readonly maxFaceValue: number;
}

const unlimited = {
  maxCreates: Number.POSITIVE_INFINITY,
  maxRequests: Number.POSITIVE_INFINITY,
  maxFaceValue: Number.POSITIVE_INFINITY,
};

/** On somebody's own machine nothing costs anything. */
export const unguarded: Policy = { mode: 'full', allow: new Set(allowances), ...unlimited };

export const safeBudget = { maxCreates: 5, maxRequests: 150, maxFaceValue: 15 } as const;

export function policyOf(mode: Mode, allow: readonly Allowance[], budget: Partial<typeof unlimited>): Policy {
  const usual = mode === 'full' ? unlimited : mode === 'safe' ? safeBudget : { ...safeBudget, maxCreates: 0, maxFaceValue: 0 };
  return { mode, allow: new Set(mode === 'full' ? allowances : allow), ...usual, ...budget };
}
