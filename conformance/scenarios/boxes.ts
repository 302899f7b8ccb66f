import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';

/**
 * The receivers of the season, each of which answers in a way of its own to deliveries about the season's cards, and with 200 to whatever else comes:
 * other cards of the account, and a first call that only looks whether somebody is there.
 */
export interface Boxes {
  /** The first to be waited for: signed, and always content. */
  readonly signed: Mailbox;
  /** Registered twice, once without a token and once with one; its address has a query. */
  readonly twin: Mailbox;
  /** Signed with another token, and content with another 2xx every time. */
  readonly content: Mailbox;
  /** Fails always, and is signed with a token that is longer than a block of the hash. */
  readonly failing: Mailbox;
  /** Fails always, and is registered again once it is disabled. */
  readonly revived: Mailbox;
  /** Fails but for the second time. */
  readonly relapsing: Mailbox;
  /** Answers 404 always. */
  readonly missing: Mailbox;
  /** Sends everything elsewhere, where nothing is registered. */
  readonly moved: Mailbox;
  readonly elsewhere: Mailbox;
  /** Takes its time over the first one. */
  readonly slow: Mailbox;
  /** The same, and is deleted meanwhile. */
  readonly leaving: Mailbox;
  /** Is deleted while nothing is under way. */
  readonly deleted: Mailbox;
}

/** The second token is not the first, so that one for all webhooks would show. */
export const tokens = {
  signed: 'first+token/for=signing',
  content: 'another token & longer than the first',
  twin: 'a token of one of two webhooks',
  failing: 'a third token, '.repeat(6),
} as const;

/** Failed deliveries of its life that disable a webhook (webhook.disabled-after-failures). */
export const mostFailures = clauseValues['webhook.disabled-after-failures'];

/** The rarer ones first, because failures of all of them together show at a webhook that is disabled. */
const otherSuccesses = [203, 206, 226, 299, 207, 208, 201, 202, 204];

/** `held` is what the slow ones wait for; `isOurs` tells deliveries about the season's cards. */
export async function boxesAt(
  receiver: Receiver,
  { held, isOurs }: { held: Promise<unknown>; isOurs: (arrival: Arrival) => boolean },
): Promise<Boxes> {
  /** `place` is how many of ours came before. */
  const box = (
    name: string,
    query: string,
    answers: (place: number) => { status: number; location?: string; after?: Promise<unknown> },
  ) =>
    receiver.mailbox(name, query, (arrival, { arrivals }) =>
      isOurs(arrival) ? answers(arrivals.filter(isOurs).length) : { status: 200 },
    );
  const always = (status: number) => () => ({ status });
  const elsewhere = await receiver.mailbox('elsewhere');
  const slowly = (place: number) => (place === 0 ? { status: 200, after: held } : { status: 200 });
  return {
    signed: await box('signed', '', always(200)),
    twin: await box('twin', '?from=conformance&twice=yes', always(200)),
    content: await box('content', '', (place) => ({ status: otherSuccesses[place % otherSuccesses.length] ?? 200 })),
    failing: await box('failing', '', always(500)),
    revived: await box('revived', '', always(503)),
    relapsing: await box('relapsing', '', (place) => ({ status: place === 1 ? 200 : 500 })),
    missing: await box('missing', '', always(404)),
    moved: await box('moved', '', () => ({ status: 307, location: elsewhere.url })),
    elsewhere,
    slow: await box('slow', '', slowly),
    leaving: await box('leaving', '', slowly),
    deleted: await box('deleted', '', always(200)),
  };
}
