import type { Reply } from '../control/operation-types.ts';
import type { Call } from './call.ts';
import type { Body, Query } from './input.ts';

type Item<List> = List extends readonly (infer One)[] ? One : never;
export type Email = Item<Reply<'listEmails'>>;
export type Delivery = Item<Reply<'listDeliveries'>>;
export type NotSent = Item<Reply<'listSuppressed'>>;

/** What left an account, or did not, oldest first; and waiting for it, without a poll or a sleep. */
export interface Told<One, Match> {
  list(match?: Omit<Match, 'wait' | 'count'>): Promise<readonly One[]>;
  /**
   * The latest that matches, as soon as there is one, or `count` of them. Rejects when there are none after so long by the machine's clock (5s;
   * PT5S is the same).
   */
  waitFor(match?: Omit<Match, 'wait'>, within?: string): Promise<One>;
}

export interface Deliveries extends Told<Delivery, Query<'listDeliveries'>> {
  /** Posts the very same once more, as the service never does. */
  resend(requestId: string): Promise<Reply<'resendDelivery'>>;
  /** Delivers a topic for a card by hand, to every enabled webhook. */
  fire(firing: Body<'fireDelivery'>): Promise<Reply<'fireDelivery'>>;
}

export function outboxOf(call: Call, path: { readonly account: string }): Told<Email, Query<'listEmails'>> {
  return told('email', (query) => call('listEmails', { path, query }));
}

export function suppressedOf(call: Call, path: { readonly account: string }): Told<NotSent, Query<'listSuppressed'>> {
  return told('suppressed effect', (query) => call('listSuppressed', { path, query }));
}

export function deliveriesOf(call: Call, path: { readonly account: string }): Deliveries {
  const list = (query: Query<'listDeliveries'>) => call('listDeliveries', { path, query });
  const why = async ({ topic, card }: Query<'listDeliveries'>) => {
    const query = { ...(topic === undefined ? {} : { what: topic }), ...(card === undefined ? {} : { card, wait: '0ms' }) };
    const { webhooks, subscriptionActive } = await call('getAccount', { path });
    const notSent = (await call('listSuppressed', { path, query })).findLast(({ what }) => what !== 'email');
    if (notSent) return `${notSent.what} of ${notSent.code} was not sent: ${notSent.why} (${notSent.clause}).`;
    if (!subscriptionActive) return 'The subscription of the account is not active, so nothing is delivered.';
    if (webhooks.some(({ enabled }) => enabled)) return undefined;
    return `The account has no ${webhooks.length === 0 ? '' : 'enabled '}webhook; POST /api/Webhook/Create registers one.`;
  };
  return {
    ...told('delivery', list, why),
    resend: (requestId) => call('resendDelivery', { path: { ...path, requestId } }),
    fire: (body) => call('fireDelivery', { path, body }),
  };
}

/** `why` may know why nothing came. */
function told<One, Match extends { readonly wait?: string | undefined }>(
  what: string,
  list: (match: Match) => Promise<readonly One[]>,
  why?: (match: Match) => Promise<string | undefined>,
): Told<One, Match> {
  return {
    list: (match) => list((match ?? {}) as Match),
    waitFor: async (match, within = '5s') => {
      const found = (await list({ ...match, wait: within } as Match)).at(-1);
      if (found !== undefined) return found;
      const others = (await list({} as Match)).length;
      const came = `${others === 0 ? 'None' : others} of any kind came so far`;
      const reason = await why?.((match ?? {}) as Match);
      const more = reason === undefined ? '; suppressed.list() tells what was not sent, and why.' : `. ${reason}`;
      throw new Error(`No ${what} within ${within} that matches ${JSON.stringify(match ?? {})}. ${came}${more}`);
    },
  };
}
