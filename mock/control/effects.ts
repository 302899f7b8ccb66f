import { parseDateTime } from '../../openapi/date-time.ts';
import { formatTime, millisecondsOf } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import { Redactor, redactUrls } from '../journal/redaction.ts';
import type { Attempt, Delivery } from '../outbound/delivery.ts';
import { noReceiver } from '../outbound/suppressed.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { CardRecord } from '../state/records.ts';
import { withoutTime } from './account-views.ts';
import type { Input } from './operation-types.ts';
import { ControlError, type ControlledAccount, cardOf } from './resources.ts';

type Query<Id extends 'listDeliveries' | 'listEmails' | 'listSuppressed'> = Partial<Input<Id>['query']>;
type ReadableAccount = Pick<ControlledAccount, 'id' | 'state'>;

const LONGEST_WAIT = 10 * 60_000;

export async function deliveriesOf(account: ControlledAccount, query: Query<'listDeliveries'> = {}) {
  const { topic, webhookId, state } = query;
  if (webhookId !== undefined) mustHaveExisted(account, webhookId);
  const found = await matching(account, account.deliveries, query, { topic, webhookId, state }, ({ queuedAtUtc }) => queuedAtUtc);
  return found.map((each) => deliveryView(account, each));
}

export async function emailsOf(account: ControlledAccount, query: Query<'listEmails'> = {}) {
  const { kind, to } = query;
  const found = await matching(account, account.outbox, query, { kind, to }, ({ sentAtUtc }) => sentAtUtc);
  return found.map((email) => ({ ...withoutTime(email), code: codeOf(account, email) }));
}

export async function suppressedOf(account: ControlledAccount, query: Query<'listSuppressed'> = {}) {
  const { what } = query;
  const found = await matching(account, account.effects.suppressed, query, { what }, ({ cause }) => formatTime(cause.at));
  return found.map((each) => ({ ...withoutTime(each), code: codeOf(account, each), atUtc: formatTime(each.cause.at) }));
}

interface WaitingList<T> {
  waitFor(matches: (entry: T) => boolean, count: number, milliseconds: number): Promise<readonly T[]>;
}

/** The entries that the query asks for, oldest first. With `wait`, resolves when there are enough of them, or at the deadline. */
async function matching<T extends { readonly giftCardId: string }>(
  account: ReadableAccount,
  list: WaitingList<T>,
  { card, since, wait, count = 1 }: Query<'listEmails'>,
  values: { readonly [K in keyof T]?: unknown },
  timeOf: (entry: T) => string,
): Promise<readonly T[]> {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseDateTime(since);
  if (from === undefined) throw new ControlError(400, `since must be a time such as 2026-01-15T12:00:00Z, got "${since}".`);
  const milliseconds = wait === undefined ? 0 : millisecondsOf(wait);
  if (milliseconds === undefined || milliseconds > LONGEST_WAIT)
    throw new ControlError(400, `wait must be a duration of at most 10 minutes, such as 500ms, 10s or PT2M, got "${wait}".`);
  // A caller may wait for a card that does not exist yet.
  if (card !== undefined && wait === undefined) cardOf(account, card);
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  const matches = (entry: T) =>
    Date.parse(timeOf(entry)) >= from &&
    wanted.every(([name, value]) => entry[name as keyof T] === value) &&
    (card === undefined || entry.giftCardId === card || codeOf(account, entry) === card);
  return list.waitFor(matches, count, milliseconds);
}

/** Posts exactly the same bytes again. Resolves when the receiver has answered. */
export async function resend(account: ControlledAccount, requestId: string) {
  const delivery = account.deliveries.all().findLast((each) => each.requestId === requestId);
  if (!delivery) throw new ControlError(404, `The account ${account.id} has no delivery with the RequestId ${requestId}.`);
  if (delivery.state === 'queued')
    throw new ControlError(409, `The delivery ${requestId} is still queued for its first attempt; wait for that first.`);
  await account.deliveries.resend(delivery, account.cause('control', 'resend', account.clock.now()));
  return deliveryView(account, delivery);
}

/** Queues a delivery to every webhook, as if the event had happened to the card. */
export function fire(account: ControlledAccount, card: CardRecord, topic: Topic) {
  const reason = noReceiver(account);
  if (reason)
    throw new ControlError(
      409,
      `The account ${account.id} has no receiver for a delivery: ${reason.why}. Register a webhook with POST /api/Webhook/Create, or activate the subscription.`,
    );
  const now = account.clock.now();
  runDueEvents(account, now);
  const cause = account.cause('control', 'fire', now);
  account.effects.queue([{ kind: 'delivery', topic, card: account.state.card(card.id) ?? card }], cause);
  const deliveries = account.deliveries.all().filter((each) => each.cause === cause);
  return deliveries.map((each) => deliveryView(account, each));
}

/** A delivery with short signatures and without the secrets in URLs. */
function deliveryView(account: ReadableAccount, { attempts, url, ...delivery }: Delivery) {
  const { body, failures } = delivery;
  const [count, of] = failures?.match(/\d+/g)?.map(Number) ?? [];
  // A receiver may return the signature that it got.
  const signatures = new Redactor(attempts.flatMap(({ headers }) => signaturesIn(headers).map(([, value]) => value)));
  return {
    ...withoutTime(delivery),
    code: codeOf(account, delivery),
    url: redactUrls(url),
    ...(count === undefined || of === undefined ? {} : { lifetimeFailures: { count, of } }),
    attempts: attempts.map((attempt) => attemptView(attempt, body, signatures)),
  };
}

function signaturesIn(headers: Attempt['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => /signature/i.test(name));
}

function attemptView({ headers, answer, body, ...attempt }: Attempt, deliveryBody: string, signatures: Redactor) {
  const shortened = signaturesIn(headers).map(([name, value]) => [name, `${value.slice(0, 6)}***`]);
  return {
    ...withoutTime(attempt),
    body: body === deliveryBody ? null : body,
    headers: { ...headers, ...(Object.fromEntries(shortened) as Record<string, string>) },
    answer: answer && {
      status: answer.status,
      headers: mapValues(answer.headers, (value) => signatures.urls(value)),
      body: signatures.body(answer.body),
    },
  };
}

function mapValues(values: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Throws ControlError for a webhook that the account never had. A deleted one is found in the journal or in the deliveries. */
function mustHaveExisted({ id, state, deliveries, journal }: ControlledAccount, webhookId: string): void {
  if (state.webhook(webhookId) || deliveries.all().some((each) => each.webhookId === webhookId)) return;
  const changes = journal.entries().flatMap(({ touched }) => touched);
  if (changes.some((each) => each.table === 'webhooks' && each.id === webhookId)) return;
  throw new ControlError(404, `The account ${id} never had a webhook ${webhookId}; GET /api/Webhook/List shows its webhooks.`);
}

function codeOf({ state }: Pick<ControlledAccount, 'state'>, { giftCardId }: { readonly giftCardId: string }): string | null {
  return state.card(giftCardId)?.code ?? null;
}
