import type { Reply } from '../control/operation-types.ts';
import { type Call, SandboxError } from './call.ts';
import type { ControlMethods } from './methods.ts';
import type { Query } from './values.ts';

export type Email = Reply<'listEmails'>[number];
export type Delivery = Reply<'listDeliveries'>[number];
export type SuppressedEffect = Reply<'listSuppressed'>[number];

/** The emails, deliveries or suppressed effects of an account, oldest first. */
export interface EffectList<One, Match> {
  list(match?: Match): Promise<readonly One[]>;
  /**
   * Resolves with the latest match as soon as `count` effects match (default: 1). Also resolves if the match was there before the call.
   * @throws SandboxError with status 408 after the timeout. The message names the last effect that was not sent, and the reason.
   * @example
   * const email = await account.outbox.waitFor({ to: 'ann@example.com' }, { timeout: '10s' });
   */
  waitFor(match?: Omit<Match, 'wait'>, options?: WaitOptions): Promise<One>;
  /** @deprecated Use `waitFor(match, { timeout })`. */
  waitFor(match: Omit<Match, 'wait'> | undefined, timeout: string): Promise<One>;
}

export interface WaitOptions {
  /** The longest time to wait in real time: milliseconds, or a duration such as '10s' or 'PT10S'. Default: 5 seconds. */
  readonly timeout?: number | string | undefined;
}

export type Outbox = EffectList<Email, Query<'listEmails'>>;
/** `resend` posts the same bytes again, which the service never does. `fire` delivers a topic for a card to every enabled webhook. */
export type Deliveries = EffectList<Delivery, Query<'listDeliveries'>> & ControlMethods<'deliveries'>;
export type Suppressed = EffectList<SuppressedEffect, Query<'listSuppressed'>>;

/** Returns `list`, and a `waitFor` that calls `list`. */
export function withWaiting<One, Match extends object>(
  call: Call,
  account: string,
  { list }: Pick<EffectList<One, Match>, 'list'>,
): EffectList<One, Match> {
  return {
    list,
    waitFor: async (match, options: WaitOptions | string = {}) => {
      const { timeout = '5s' } = typeof options === 'string' ? { timeout: options } : options;
      const within = typeof timeout === 'number' ? `${timeout}ms` : timeout;
      const found = (await list({ ...match, wait: within } as unknown as Match)).at(-1);
      if (found !== undefined) return found;
      const suppressed = (await call('listSuppressed', { path: { account } })).at(-1);
      const hint = suppressed
        ? `The last suppressed effect is ${suppressed.what} for the card ${suppressed.code}: ${suppressed.why} (${suppressed.clause}).`
        : 'No effect was suppressed.';
      throw new SandboxError(408, `Nothing matches ${JSON.stringify(match ?? {})} within ${within}. ${hint}`);
    },
  };
}
