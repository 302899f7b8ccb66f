import type { EffectKind } from './effects.ts';

export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** Effects that a safe run causes only with --allow. `void-deliveries` are deliveries about voided cards to the webhooks that the account already has. */
export const allowances = ['email', 'webhooks', 'void-deliveries', 'automation', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];

/** Requests per minute to a remote target. */
export const remoteRate = 60;

/** The reason why a rule is untested. The list is closed, so that reports of different runs can be compared. */
export type Reason =
  | 'mode'
  | 'fact-missing'
  | 'budget'
  | 'cannot-void'
  | `not-allowed:${Allowance | 'inputs'}`
  | 'no-receiver'
  | 'no-second-key'
  | 'needs-hook'
  | 'fixture-missing'
  | 'control-failed'
  | 'late'
  | 'all-responses-alike'
  | 'rate-limited'
  | 'untestable';

export class Untested extends Error {
  override readonly name = 'Untested';
  readonly reason: Reason;

  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export class NotSent extends Untested {}

export interface Why {
  readonly reason: Reason;
  readonly detail: string;
}

/** The limits of a run. `maxFaceValue` limits the sum of initial values. */
interface Budget {
  readonly maxCreates: number;
  readonly maxRequests: number;
  readonly maxFaceValue: number;
}

export interface Policy extends Budget {
  readonly mode: Mode;
  /** The reason for the mode and its remedy, if the user chose no mode and the target may be the user's own, or if a safe run became a read-only run. */
  readonly modeBecause?: string;
  readonly allow: ReadonlySet<Allowance>;
  /** The reason why a safe run became a read-only run. */
  readonly readOnlyBecause?: Why;
  /** True if the user allowed rate-limit checks. Without a clock, such checks wait for minutes. */
  readonly patient?: boolean;
  /** True if a run first creates one card and voids it. The run creates others only if the void is proved. Only the mock needs no such card. */
  readonly canary?: boolean;
  /** Number of cards that the run may leave on a target that cannot void cards. Default: 0. */
  readonly leaveCards?: number | undefined;
  /** True once the suite could not remove something from the target. The run then creates at most `leaveCards` cards. */
  readonly cannotRemove?: boolean;
  /** True once the target responded to the first create with something other than a card. The run then creates nothing more. */
  readonly cannotCreate?: boolean;
  /** Number of requests that removed leftovers of earlier runs. They count in the budget. */
  readonly sweeping?: number;
  /** True if the run may send hundreds of requests with generated input. Default: true if the profile has clock or noRateLimit. */
  readonly inputs?: boolean;
}

const unlimited: Budget = { maxCreates: Infinity, maxRequests: Infinity, maxFaceValue: Infinity };
export const safeBudget: Budget = { maxCreates: 5, maxRequests: 150, maxFaceValue: 6 };

/** A policy for requests that cost nothing. */
export const unguarded: Policy = { mode: 'full', allow: new Set(allowances), ...unlimited };

export function policyOf(mode: Mode, allow: readonly Allowance[], budget: Partial<Budget>): Policy {
  const defaults = { full: unlimited, safe: safeBudget, 'read-only': { ...safeBudget, maxCreates: 0, maxFaceValue: 0 } }[mode];
  const allowed = new Set(mode === 'full' ? allowances : allow);
  return { mode, allow: allowed, patient: allow.includes('rate-limit'), ...defaults, ...budget };
}

/** Returns the budget for two runs with one gate. */
export const doubledBudget = (policy: Policy): Policy => ({
  ...policy,
  maxCreates: 2 * policy.maxCreates,
  maxRequests: 2 * policy.maxRequests,
  maxFaceValue: 2 * policy.maxFaceValue,
});

export type Needs = Record<'creates' | 'requests' | 'faceValue', number>;

/** Returns the flags of the limits that are too small, each with the number that is needed. */
function flagsFor(
  { creates, requests, faceValue }: Needs,
  { maxCreates, maxRequests, maxFaceValue, cannotRemove }: Budget & Pick<Policy, 'cannotRemove'>,
): string[] {
  return [
    ...(cannotRemove && creates > maxCreates ? [`--leave-cards ${creates}`] : []),
    ...(creates > maxCreates ? [`--max-creates ${creates}`] : []),
    ...(requests > maxRequests ? [`--max-requests ${requests}`] : []),
    ...(faceValue > maxFaceValue + 1e-9 ? [`--max-face-value ${Math.ceil(faceValue)}`] : []),
  ];
}

export const isUnlimited = ({ maxCreates, maxRequests, maxFaceValue }: Budget): boolean =>
  Math.min(maxCreates, maxRequests, maxFaceValue) === Infinity;

export const fitsBudget = (budget: Budget, needs: Needs): boolean => flagsFor(needs, budget).length === 0;

export function overBudget(policy: Policy, needs: Needs): Why {
  const { cannotRemove, leaveCards, maxRequests, sweeping = 0 } = policy;
  if (cannotRemove && leaveCards === undefined) return cannotVoid;
  const isSwept = sweeping > 0 && fitsBudget(policy, { ...needs, requests: needs.requests - sweeping });
  const detail = isSwept
    ? `${sweeping} requests removed leftovers of earlier runs, and --max-requests is ${maxRequests}; run again`
    : `the limits of the run are too small; use at least ${flagsFor(needs, policy).join(' ')}`;
  return { reason: 'budget', detail };
}

const cannotVoid: Why = {
  reason: 'cannot-void',
  detail:
    'the suite could not remove what it created on this target, so it creates nothing more; to leave up to N cards on the target, use --leave-cards N',
};

const noCard: Why = {
  reason: 'control-failed',
  detail: 'the target did not respond to the first create with a card, so the run creates nothing more',
};

/** Returns the reason why a policy refuses these effects. Returns undefined if the policy allows the effects. */
export function policyRefusal(kinds: readonly EffectKind[], policy: Policy): Why | undefined {
  const { mode, allow, readOnlyBecause, cannotRemove, cannotCreate } = policy;
  if (mode === 'read-only' && kinds.includes('change'))
    return readOnlyBecause ?? { reason: 'mode', detail: 'a read-only run changes nothing' };
  if (cannotCreate && kinds.some((kind) => ['create', 'webhooks', 'automation'].includes(kind))) return noCard;
  // An event issues any number of cards.
  if (cannotRemove && kinds.includes('automation')) return cannotVoid;
  const effect = allowances.find((each) => (kinds as readonly string[]).includes(each) && !allow.has(each));
  return effect && notAllowed(effect, consequence[effect]);
}

const notAllowed = (effect: Allowance, detail: string): Why => ({
  reason: `not-allowed:${effect}`,
  detail: `${detail}; use --allow ${effect}`,
});

const consequence: Record<Allowance, string> = {
  email: 'the service would send an email',
  webhooks: 'a webhook would be registered',
  'void-deliveries': 'each webhook would receive a delivery for every voided card',
  automation: 'automations would run',
  'rate-limit': 'the rate limit would be reached',
};

/** Returns a policy that changes nothing, if the account has webhooks and the policy does not allow deliveries to these webhooks. */
export function policyWithWebhooks(policy: Policy, present: number | 'unknown'): Policy {
  if (policy.mode !== 'safe' || present === 0 || policy.allow.has('void-deliveries')) return policy;
  const webhooks =
    present === 'unknown'
      ? 'the account may have webhooks (the list could not be read)'
      : `the account has ${present === 1 ? '1 webhook' : `${present} webhooks`}`;
  const because = notAllowed('void-deliveries', `${webhooks}, and ${consequence['void-deliveries']}`);
  return { ...policy, mode: 'read-only', modeBecause: because.detail, readOnlyBecause: because, maxCreates: 0, maxFaceValue: 0 };
}
