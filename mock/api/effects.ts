import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body, Query } from './input.ts';

type Item<List> = List extends readonly (infer One)[] ? One : never;
export type Email = Item<Reply<'listEmails'>>;
export type Delivery = Item<Reply<'listDeliveries'>>;
export type NotSent = Item<Reply<'listSuppressed'>>;

/** What left an account, or did not, oldest first; and waiting for it, without a poll or a sleep. */
export interface Told<One, Match> {
  list(match?: Match): Promise<readonly One[]>;
  /** The latest that matches, as soon as there is one. Rejects when there is none after so long (5s), by the machine's clock. */
  waitFor(match?: Match, within?: string): Promise<One>;
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
  return {
    ...told('delivery', (query: Query<'listDeliveries'>) => call('listDeliveries', { path, query })),
    resend: (requestId) => call('resendDelivery', { path: { ...path, requestId } }),
    fire: (body) => call('fireDelivery', { path, body }),
  };
}

function told<One, Match extends { readonly wait?: string | undefined }>(
  what: string,
  list: (match: Match) => Promise<readonly One[]>,
): Told<One, Match> {
  return {
    list: (match) => list(match ?? ({} as Match)),
    waitFor: async (match, within = '5s') => {
      const found = (await list({ ...match, wait: within } as Match)).at(-1);
      if (found !== undefined) return found;
      const others = (await list({} as Match)).length;
      const came = `${others === 0 ? 'None' : others} of any kind came so far; suppressed.list() tells what was not sent, and why.`;
      throw new Error(`No ${what} within ${within} that matches ${JSON.stringify(match ?? {})}. ${came}`);
    },
  };
}
