import { parseDateTime } from '../../openapi/date-time.ts';
import { formatTime, millisecondsOf } from '../domain/dates.ts';
import { type JournalRedactor, redactHeaders, redactorOf } from '../journal/redaction.ts';
import type { BoundedLog } from '../outbound/bounded-log.ts';
import type { Cause } from '../outbound/cause.ts';
import type { Attempt, Delivery } from '../outbound/delivery.ts';
import { presentTime } from './act.ts';
import type { Body, ControlInput, PathValues, Query } from './operation-types.ts';
import { ControlError, type ControlledAccount, controlledCard, type InAccount } from './resources.ts';

const LONGEST_WAIT = 10 * 60_000;

export async function listDeliveries({ account, query = {} }: InAccount & Query<'listDeliveries'>) {
  const { topic, webhookId, state } = query;
  const values = { topic, webhookId, state };
  const found = await matching(account, account.effects.deliveries, query, values, ({ queuedAtUtc }) => queuedAtUtc);
  const redactor = redactorOf([account]);
  return found.map((each) => deliveryView(account, each, redactor));
}

export async function listEmails({ account, query = {} }: InAccount & Query<'listEmails'>) {
  const { kind, to } = query;
  const found = await matching(account, account.effects.outbox, query, { kind, to }, ({ sentAtUtc }) => sentAtUtc);
  return found.map((email) => ({ ...withoutTime(email), code: codeOf(account, email) }));
}

export async function listSuppressed({ account, query = {} }: InAccount & Query<'listSuppressed'>) {
  const { what } = query;
  const found = await matching(account, account.effects.suppressed, query, { what }, ({ cause }) => formatTime(cause.at));
  return found.map((each) => ({ ...withoutTime(each), code: codeOf(account, each), atUtc: formatTime(each.cause.at) }));
}

/** Returns the entries that match the query, oldest first; with `limit`, the last ones. With `wait`, waits for `count` entries or the deadline. */
async function matching<T extends { readonly giftCardId: string }>(
  account: ControlledAccount,
  list: Pick<BoundedLog<T>, 'waitFor'>,
  { card, since, wait, count = 1, limit = 0 }: ControlInput<'listEmails'>['query'],
  values: { readonly [K in keyof T]?: unknown },
  timeOf: (entry: T) => string,
): Promise<readonly T[]> {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : (parseDateTime(since) as number);
  const milliseconds = wait === undefined ? 0 : millisecondsOf(wait);
  if (milliseconds === undefined || milliseconds > LONGEST_WAIT)
    throw new ControlError(400, `wait must be a duration of at most 10 minutes, such as 500ms, 10s or PT2M, got "${wait}".`);
  // A caller may wait for a card that does not exist yet, so an unknown card is refused only without `wait`.
  if (card !== undefined && wait === undefined) controlledCard(account, card);
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  const matches = (entry: T) =>
    Date.parse(timeOf(entry)) >= from &&
    wanted.every(([name, value]) => entry[name as keyof T] === value) &&
    (card === undefined || entry.giftCardId === card || codeOf(account, entry) === card);
  return (await list.waitFor(matches, count, milliseconds)).slice(-limit);
}

/** Posts the same bytes again. Resolves when the receiver has responded. */
export async function resendDelivery({ account, path: { requestId } }: InAccount & PathValues<'resendDelivery'>) {
  const delivery = account.effects.deliveries.all().findLast((each) => each.requestId === requestId);
  if (!delivery) throw new ControlError(404, `The account ${account.id} has no delivery with the RequestId ${requestId}.`);
  if (delivery.state === 'queued')
    throw new ControlError(409, `The delivery ${requestId} is still queued; wait for its first attempt.`);
  await account.effects.deliveries.resend(delivery, account.journal.cause('control', 'resend', account.clock.now()));
  return deliveryView(account, delivery);
}

/** Queues a delivery to every enabled webhook, as if the event of the topic had happened. */
export function fireDelivery({ account, body }: InAccount & Body<'fireDelivery'>) {
  const card = controlledCard(account, body.card);
  const reason = account.effects.deliveries.whyNone();
  if (reason)
    throw new ControlError(
      409,
      `The account ${account.id} has no receiver for a delivery: ${reason.why}. Register a webhook with POST /api/Webhook/Create, or activate the subscription.`,
    );
  const cause = account.journal.cause('control', 'fire', presentTime(account));
  account.effects.queue([{ kind: 'delivery', topic: body.topic, card: account.state.card(card.id) ?? card }], cause);
  const deliveries = account.effects.deliveries.all().filter((each) => each.cause === cause);
  return deliveries.map((each) => deliveryView(account, each));
}

function deliveryView(account: ControlledAccount, { attempts, url, ...delivery }: Delivery, redactor = redactorOf([account])) {
  return {
    ...withoutTime(delivery),
    code: codeOf(account, delivery),
    url: redactor.urls(url),
    attempts: attempts.map((attempt) => attemptView(attempt, delivery.body, redactor)),
  };
}

function attemptView({ headers, response, body, ...attempt }: Attempt, deliveryBody: string, redactor: JournalRedactor) {
  return {
    ...withoutTime(attempt),
    body: body === deliveryBody ? null : body,
    headers,
    response: response && { ...response, headers: redacted(response.headers, redactor), body: redactor.body(response.body) },
  };
}

function redacted(headers: Readonly<Record<string, string>>, redactor: JournalRedactor): Record<string, string> {
  const shown = Object.entries(redactHeaders(headers));
  return Object.fromEntries(shown.map(([name, value]) => [name, redactor.values(value)]));
}

function codeOf({ state }: ControlledAccount, { giftCardId }: { readonly giftCardId: string }): string | null {
  return state.card(giftCardId)?.code ?? null;
}

/** Drops the time of the cause. */
function withoutTime<T extends { readonly cause: Cause }>({ cause: { id: number, kind, what }, ...entry }: T) {
  return { ...entry, cause: { number, kind, what } };
}
