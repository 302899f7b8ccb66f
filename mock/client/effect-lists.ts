import type {
  DeliveriesMethods,
  ListDeliveriesQuery,
  ListEmailsQuery,
  ListSuppressedQuery,
  OutboxMethods,
  SuppressedMethods,
} from '../control/generated/client.ts';
import type { Delivery, Email, SuppressedEffect } from '../control/generated/types.ts';
import { type ControlCall, SandboxError } from './call.ts';

export interface WaitOptions {
  /** The longest time to wait in real time: milliseconds, or a duration such as '10s' or 'PT10S'. Default: 4 seconds, less than the limit of a test. */
  readonly timeout?: number | string | undefined;
}

/** A list in which a test can wait for an entry. */
export interface EffectList<One, Match> {
  /**
   * Resolves with the latest match as soon as `count` effects match (default: 1), or at once if they matched before the call.
   * @throws SandboxError with status 408 after the timeout. Its message names the last delivery that has only another state, or the last effect that was not sent, and the reason.
   * @example
   * const email = await account.outbox.waitFor({ to: 'ann@example.com' }, { timeout: '10s' });
   */
  waitFor(match?: Omit<Match, 'wait'>, options?: WaitOptions): Promise<One>;
}

/** The emails of an account. The mock sends no emails. */
export interface Outbox extends OutboxMethods, EffectList<Email, ListEmailsQuery> {}
/** The webhook deliveries of an account. */
export interface Deliveries extends DeliveriesMethods, EffectList<Delivery, ListDeliveriesQuery> {}
/** Emails and deliveries that were not sent, each with the rule that suppressed it. */
export interface Suppressed extends SuppressedMethods, EffectList<SuppressedEffect, ListSuppressedQuery> {}

/** Adds a `waitFor` that calls `list`. */
export function withWaiting<One, Match extends object, Methods extends { list(match?: Match): Promise<readonly One[]> }>(
  call: ControlCall,
  account: string,
  methods: Methods,
): Methods & EffectList<One, Match> {
  const inOtherState = async (match: object = {}) => {
    if (!('state' in match)) return undefined;
    const found = (await methods.list({ ...match, state: undefined } as unknown as Match)).at(-1) as Delivery | undefined;
    return found && `The last ${found.topic} for the card ${found.code} is ${found.state}: ${JSON.stringify(found.result)}.`;
  };
  const lastSuppressed = async () => {
    const effect = (await call('listSuppressed', { path: { account } })).at(-1);
    if (!effect) return 'No effect was suppressed.';
    return `The last suppressed effect is ${effect.what} for the card ${effect.code}: ${effect.why} (${effect.rule}).`;
  };
  return {
    ...methods,
    waitFor: async (match?: Omit<Match, 'wait'>, { timeout = '4s' }: WaitOptions = {}) => {
      const within = typeof timeout === 'number' ? `${timeout}ms` : timeout;
      const found = (await methods.list({ ...match, wait: within } as unknown as Match)).at(-1);
      if (found !== undefined) return found;
      const hint = (await inOtherState(match)) ?? (await lastSuppressed());
      throw new SandboxError(408, `Nothing matches ${JSON.stringify(match ?? {})} within ${within}. ${hint}`);
    },
  };
}
