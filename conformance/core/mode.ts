/** What a run may do on the target's account. */
export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** What a safe run does only with --allow. */
export const allowances = ['email', 'webhooks', 'automation', 'coupons', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];
