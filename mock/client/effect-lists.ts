import type { Input, Reply } from '../control/operation-types.ts';
import { type Call, SandboxError } from './call.ts';
import type { Query } from './values.ts';

type Item<List> = List extends readonly (infer One)[] ? One : never;
export type Email = Item<Reply<'listEmails'>>;
export type Delivery = Item<Reply<'listDeliveries'>>;
export type SuppressedEffect = Item<Reply<'listSuppressed'>>;

/** The emails, deliveries or suppressed effects of an account, oldest first. */
export interface EffectList<One, Match> {
  list(match?: Omit<Match, 'wait' | 'count'>): Promise<readonly One[]>;
  /**
   * Resolves with the latest match as soon as there is one, or `count` of them. Rejects with SandboxError if that takes longer than `within` in
   * real time (default: 5s; PT5S is the same).
   */
  waitFor(match?: Omit<Match, 'wait'>, within?: string): Promise<One>;
}

export interface Deliveries extends EffectList<Delivery, Query<'listDeliveries'>> {
  /** Posts exactly the same bytes again, which the service never does. */
  resend(requestId: string): Promise<Reply<'resendDelivery'>>;
  /** Delivers a topic for a card to every enabled webhook. */
  fire(firing: Input<'fireDelivery'>['body']): Promise<Reply<'fireDelivery'>>;
}

export function outboxOf(call: Call, path: { readonly account: string }): EffectList<Email, Query<'listEmails'>> {
  return effectList('email', (query) => call('listEmails', { path, query }));
}

export function suppressedOf(
  call: Call,
  path: { readonly account: string },
): EffectList<SuppressedEffect, Query<'listSuppressed'>> {
  return effectList('suppressed effect', (query) => call('listSuppressed', { path, query }));
}

export function deliveriesOf(call: Call, path: { readonly account: string }): Deliveries {
  const list = (query: Query<'listDeliveries'>) => call('listDeliveries', { path, query });
  const reasonFor = async ({ topic, card }: Query<'listDeliveries'>) => {
    const query = { ...(topic === undefined ? {} : { what: topic }), ...(card === undefined ? {} : { card, wait: '0ms' }) };
    const { webhooks, subscriptionActive } = await call('getAccount', { path });
    const suppressed = (await call('listSuppressed', { path, query })).findLast(({ what }) => what !== 'email');
    if (suppressed) return `${suppressed.what} of ${suppressed.code} was not sent: ${suppressed.why} (${suppressed.clause}).`;
    if (!subscriptionActive) return 'The subscription of the account is not active, so nothing is delivered.';
    if (webhooks.some(({ enabled }) => enabled)) return undefined;
    return `The account has no ${webhooks.length === 0 ? '' : 'enabled '}webhook; POST /api/Webhook/Create registers one.`;
  };
  return {
    ...effectList('delivery', list, reasonFor),
    resend: (requestId) => call('resendDelivery', { path: { ...path, requestId } }),
    fire: (body) => call('fireDelivery', { path, body }),
  };
}

/** `reasonFor` returns a sentence on why there is no match, if it can. */
function effectList<One, Match extends { readonly wait?: string | undefined }>(
  what: string,
  list: (match: Match) => Promise<readonly One[]>,
  reasonFor?: (match: Match) => Promise<string | undefined>,
): EffectList<One, Match> {
  return {
    list: (match) => list((match ?? {}) as Match),
    waitFor: async (match, within = '5s') => {
      if (match && 'wait' in match) throw new TypeError("waitFor takes the time as its second argument: waitFor(match, '10s').");
      const found = (await list({ ...match, wait: within } as Match)).at(-1);
      if (found !== undefined) return found;
      const others = (await list({} as Match)).length;
      const reason = await reasonFor?.((match ?? {}) as Match);
      const hint = reason === undefined ? ' suppressed.list() shows what was not sent, and why.' : ` ${reason}`;
      throw new SandboxError(
        408,
        `No ${what} within ${within} matches ${JSON.stringify(match ?? {})}; there are ${others} of any kind.${hint}`,
      );
    },
  };
}
