import { counted } from '../core/counted.ts';
import type { Reason } from '../core/verdict.ts';
import type { Asking } from './effects.ts';

/** Why something is not tried. */
export interface Why {
  readonly reason: Reason;
  readonly detail: string;
}

/** What a run may do on the account of a target. */
export const modes = ['read-only', 'safe', 'full'] as const;
export type Mode = (typeof modes)[number];

/** What a safe run does only when it is told that it may. */
export const allowances = ['email', 'webhooks', 'automation', 'coupons', 'rate-limit'] as const;
export type Allowance = (typeof allowances)[number];

export interface Policy {
  readonly mode: Mode;
  readonly allow: ReadonlySet<Allowance>;
  /** Cards that may be created, all requests, and the sum of what cards are created with. */
  readonly maxCreates: number;
  readonly maxRequests: number;
  readonly maxFaceValue: number;
  /** It was asked for by name that the rate be used up, though each minute has to be waited out where no clock can be moved. */
  readonly patient?: boolean;
  /** Whether odd input may be sent by the hundred; where nobody has said so, it goes where no rate is limited. */
  readonly inputs?: boolean;
}

const unlimited = {
  maxCreates: Number.POSITIVE_INFINITY,
  maxRequests: Number.POSITIVE_INFINITY,
  maxFaceValue: Number.POSITIVE_INFINITY,
};

/** On somebody's own machine nothing costs anything. */
export const unguarded: Policy = { mode: 'full', allow: new Set(allowances), ...unlimited };

export const safeBudget = { maxCreates: 5, maxRequests: 150, maxFaceValue: 6 } as const;

/** Why a policy refuses what asks for these things; undefined where it does not. */
export function refusalOf(
  asks: readonly Asking[],
  { mode, allow }: Policy,
  webhooksPresent: number | 'unknown',
): Why | undefined {
  if (mode === 'read-only' && asks.includes('change'))
    return { reason: 'mode', detail: 'a read-only run changes nothing, and asks for nothing that would' };
  const effect = allowances.find((each) => asks.includes(each) && !allow.has(each));
  if (effect) return { reason: `not-allowed:${effect}`, detail: `${consequence[effect]}; --allow ${effect} lets it` };
  if (asks.includes('create') && webhooksPresent !== 0 && !allow.has('webhooks'))
    return {
      reason: 'not-allowed:webhooks',
      detail: `${webhooksTold(webhooksPresent)}, and each is told of every card that is voided; --allow webhooks lets it`,
    };
  return undefined;
}

const consequence: Record<Allowance, string> = {
  email: 'the service would send an email',
  webhooks: 'a webhook would be registered',
  automation: 'automations would run',
  coupons: 'a coupon of the web store would be made, and what switches it off is open',
  'rate-limit': 'the rate would be used up',
};

export const webhooksTold = (present: number | 'unknown') =>
  present === 'unknown' ? 'whether the account has webhooks could not be seen' : `the account has ${counted(present, 'webhook')}`;

export function policyOf(mode: Mode, allow: readonly Allowance[], budget: Partial<typeof unlimited>): Policy {
  const usual = mode === 'full' ? unlimited : mode === 'safe' ? safeBudget : { ...safeBudget, maxCreates: 0, maxFaceValue: 0 };
  const allowed = new Set(mode === 'full' ? allowances : allow);
  return { mode, allow: allowed, patient: allow.includes('rate-limit'), ...usual, ...budget };
}
