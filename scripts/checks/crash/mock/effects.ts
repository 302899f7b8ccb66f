import type { MockClient } from './client.ts';
import type { CountingReceiver } from './receiver.ts';

interface Delivery {
  readonly requestId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly topic: string;
  readonly giftCardId: string;
  readonly state: string;
  readonly attempts: readonly unknown[];
}

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly lifetimeFailures: { readonly count: number; readonly of: number };
}

/** The deliveries and emails of an account whose deliveries have all ended, and what is wrong with them. */
export interface ExpectedEffects {
  readonly violations: string[];
  readonly webhooks: readonly Webhook[];
  /** Returns the webhooks' numbers of deliveries of a card. Webhooks that may be disabled are left out. */
  deliveries(giftCardId: string, topic: string): number[];
  emails(giftCardId: string, kind: string): number;
}

/** Reads the effects of an account after `kills` kills. Compares every delivery with the posts that the receiver got. */
export async function effectsOf(
  mock: MockClient,
  account: string,
  receiver: CountingReceiver,
  kills: number,
): Promise<ExpectedEffects> {
  const path = `/__mock/accounts/${account}`;
  await mock.read('POST', `${path}/settle`);
  const [{ webhooks, dropped }, deliveries, emails, { entries }] = await Promise.all(
    ['', '/deliveries', '/outbox', '/journal?limit=1000'].map((part) => mock.get(path + part)),
  );
  const violations = [
    ...webhooks.flatMap((webhook: Webhook) => wrongPosts(webhook, deliveries, receiver, kills)),
    ...repeated(deliveries.map(({ requestId }: Delivery) => `delivery ${requestId}`)),
    ...repeated(entries.map(({ number }: { number: number }) => `journal entry ${number}`)),
  ];
  if (dropped.deliveries > 0) violations.push('the lists of effects are full, so the test cannot check them; kill less often');
  const deliveryCounts = countBy(deliveries, (each: Delivery) => `${each.giftCardId} ${each.topic} ${each.webhookId}`);
  const emailCounts = countBy(emails, (each: { giftCardId: string; kind: string }) => `${each.giftCardId} ${each.kind}`);
  const lasting = webhooks.filter(({ url }: Webhook) => !url.endsWith('/failing'));
  return {
    violations: violations.map((each) => `${account}: ${each}`),
    webhooks,
    deliveries: (card, topic) => lasting.map(({ id }: Webhook) => deliveryCounts.get(`${card} ${topic} ${id}`) ?? 0),
    emails: (card, kind) => emailCounts.get(`${card} ${kind}`) ?? 0,
  };
}

function wrongPosts(webhook: Webhook, all: readonly Delivery[], receiver: CountingReceiver, kills: number): string[] {
  const violations: string[] = [];
  const posts = receiver.postsOf(new URL(webhook.url).pathname);
  const deliveries = all.filter(({ webhookId }) => webhookId === webhook.id);
  for (const { requestId, state, attempts } of deliveries) {
    const count = posts.get(requestId) ?? 0;
    const [least, most] = EXPECTED_POSTS[state] ?? [0, -1];
    const isWronglyDropped = state === 'dropped' && webhook.enabled;
    if (count < least || count > most || attempts.length > 1 || isWronglyDropped)
      violations.push(`delivery ${requestId} is ${state} with ${attempts.length} attempts, and was posted ${count} times`);
  }
  const known = new Set(deliveries.map(({ requestId }) => requestId));
  for (const requestId of posts.keys())
    if (!known.has(requestId)) violations.push(`delivery ${requestId} was posted, and is not in the list`);
  const unknown = deliveries.filter(({ state }) => state === 'unknown').length;
  // A webhook gets one delivery after the other, so a kill interrupts at most one.
  if (unknown > kills) violations.push(`${unknown} deliveries to ${webhook.url} are unknown after ${kills} kills`);
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  const { count, of } = webhook.lifetimeFailures;
  if (count !== failed || webhook.enabled !== count < of)
    violations.push(`${webhook.url} has ${count} failures and enabled ${webhook.enabled}, but ${failed} failed deliveries`);
  return violations;
}

/** The least and the largest number of posts, by the state of a delivery that has ended. */
const EXPECTED_POSTS: Readonly<Record<string, readonly [number, number]>> = {
  delivered: [1, 1],
  failed: [1, 1],
  unknown: [0, 1],
  dropped: [0, 0],
};

function repeated(names: readonly string[]): string[] {
  return [...countBy(names, (name) => name)].flatMap(([name, count]) => (count > 1 ? [`${name} appears ${count} times`] : []));
}

function countBy<T>(values: readonly T[], nameOf: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(nameOf(value), (counts.get(nameOf(value)) ?? 0) + 1);
  return counts;
}
