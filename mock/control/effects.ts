import { parseDateTime } from '../../openapi/date-time.ts';
import type { Account } from '../account/account.ts';
import { formatTime, millisecondsOf } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import { Redactor, redactUrls } from '../journal/redaction.ts';
import type { Attempt, Delivery } from '../outbound/delivery.ts';
import type { Email } from '../outbound/outbox.ts';
import type { ReceiverAnswer } from '../outbound/post.ts';
import { noReceiver, type Suppressed } from '../outbound/suppressed.ts';
import { runDueEvents } from '../pipeline/commit.ts';
import type { CardRecord } from '../state/records.ts';
import { withoutMoment } from './account-views.ts';
import { cardOf } from './accounts.ts';
import { ControlError } from './control-error.ts';

/** How long a read waits, and for how many; without `wait` it answers with what is there. */
interface Waiting {
  /** Real time, such as 10s or PT10S. */
  readonly wait?: string;
  /** Waits for so many matches instead of one. */
  readonly count?: number;
  /** Only what came at this time of the account's clock or later (ISO 8601, UTC). */
  readonly since?: string;
  /** Its id or code. */
  readonly card?: string;
}
interface DeliveryFilter extends Waiting {
  readonly topic?: Topic;
  readonly webhookId?: string;
  readonly state?: Delivery['state'];
}
interface EmailFilter extends Waiting {
  readonly kind?: string;
  readonly to?: string;
}
interface SuppressedFilter extends Waiting {
  readonly what?: string;
}

const LONGEST_WAIT = 10 * 60_000;

/** What left as webhook deliveries, oldest first. */
export async function deliveriesOf(account: Account, filter: DeliveryFilter = {}) {
  const { topic, webhookId, state } = filter;
  if (webhookId !== undefined) mustHaveBeen(account, webhookId);
  const isAbout = aboutCard(account, filter);
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Delivery) =>
    Date.parse(one.queuedAtUtc) >= from && fits(one, { topic, webhookId, state }) && isAbout(one);
  const found = await account.deliveries.waitFor(matches, filter.count ?? 1, milliseconds);
  return found.map((one) => deliveryView(account, one));
}

/** The emails that would have been sent, oldest first. */
export async function emailsOf(account: Account, filter: EmailFilter = {}) {
  const { kind, to } = filter;
  const isAbout = aboutCard(account, filter);
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Email) => Date.parse(one.sentAtUtc) >= from && fits(one, { kind, to }) && isAbout(one);
  const found = await account.outbox.waitFor(matches, filter.count ?? 1, milliseconds);
  return found.map((email) => ({ ...withoutMoment(email), code: codeOf(account, email) }));
}

/** What did not happen, oldest first, and the clause that says so. */
export async function suppressedOf(account: Account, filter: SuppressedFilter = {}) {
  const { what } = filter;
  const isAbout = aboutCard(account, filter);
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Suppressed) => one.cause.at >= from && fits(one, { what }) && isAbout(one);
  const found = await account.effects.suppressed.waitFor(matches, filter.count ?? 1, milliseconds);
  return found.map((noted) => ({ ...withoutMoment(noted), code: codeOf(account, noted), atUtc: formatTime(noted.cause.at) }));
}

/** Posts a delivery once more, byte by byte as it was, and answers with it when the receiver has answered. */
export async function resend(account: Account, requestId: string) {
  const delivery = account.deliveries.all().findLast((one) => one.requestId === requestId);
  if (!delivery) throw new ControlError(404, `The account ${account.id} has no delivery with the RequestId ${requestId}.`);
  if (delivery.state === 'queued')
    throw new ControlError(409, `The delivery ${requestId} has not had its own attempt yet; wait for it first.`);
  await account.deliveries.resend(delivery, account.cause('control', 'resend', account.clock.now()));
  return deliveryView(account, delivery);
}

/** Delivers a topic for a card as if what it tells of had happened, to every webhook; answers with the deliveries, which have not left yet. */
export function fire(account: Account, card: CardRecord, topic: Topic) {
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
  return account.deliveries
    .all()
    .filter((one) => one.cause === cause)
    .map((one) => deliveryView(account, one));
}

/** A delivery as the control API shows it: signatures only so far that they can be told apart, addresses without what is secret in them. */
function deliveryView(account: Account, { attempts, url, ...delivery }: Delivery) {
  const { body, failures } = delivery;
  const [count, of] = failures?.match(/\d+/g)?.map(Number) ?? [];
  // A receiver may say what it was sent.
  const signatures = new Redactor(attempts.flatMap(({ headers }) => signaturesIn(headers).map(([, value]) => value)));
  return {
    ...withoutMoment(delivery),
    code: codeOf(account, delivery),
    url: redactUrls(url),
    ...(count === undefined || of === undefined ? {} : { lifetimeFailures: { count, of } }),
    attempts: attempts.map((attempt) => attemptView(attempt, body, signatures)),
  };
}

function signaturesIn(headers: Attempt['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => /signature/i.test(name));
}

/** `usual` is the delivery's own body, which is told once. */
function attemptView({ headers, cause, answer, body, ...attempt }: Attempt, usual: string, signatures: Redactor) {
  const beginnings = signaturesIn(headers).map(([name, value]) => [name, `${value.slice(0, 6)}***`]);
  return {
    ...attempt,
    body: body === usual ? null : body,
    headers: { ...headers, ...(Object.fromEntries(beginnings) as Record<string, string>) },
    answer: answer && answerView(answer, signatures),
    cause: { kind: cause.kind, what: cause.what },
  };
}

function answerView({ status, headers, body }: ReceiverAnswer, signatures: Redactor) {
  const shown = Object.entries(headers).map(([name, value]) => [name, signatures.urls(value)]);
  return {
    status,
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: signatures.body(body),
  };
}

/** A webhook that is gone is in the journal, or has deliveries. */
function mustHaveBeen({ id, state, deliveries, journal }: Account, webhookId: string): void {
  if (state.webhook(webhookId) || deliveries.all().some((one) => one.webhookId === webhookId)) return;
  const isTold = (each: { readonly table: string; readonly id: string }) => each.table === 'webhooks' && each.id === webhookId;
  if (journal.entries().some(({ touched }) => touched.some(isTold))) return;
  throw new ControlError(
    404,
    `The account ${id} has no webhook ${webhookId}, and had none; GET /api/Webhook/List shows its own.`,
  );
}

/** Whether an entry has all that is asked for; what is undefined is not asked for. */
function fits<T>(entry: T, wanted: { readonly [K in keyof T]?: unknown }): boolean {
  return (Object.keys(wanted) as (keyof T)[]).every((name) => wanted[name] === undefined || wanted[name] === entry[name]);
}

/** Tells whether an entry is about the card that is asked for. One that there is not yet can be waited for, and is refused otherwise. */
function aboutCard(account: Account, { card, wait }: Waiting): (entry: { readonly giftCardId: string }) => boolean {
  if (card === undefined) return () => true;
  if (wait === undefined) cardOf(account, card);
  return (entry) => entry.giftCardId === card || codeOf(account, entry) === card;
}

function codeOf({ state }: Account, { giftCardId }: { readonly giftCardId: string }): string | null {
  return state.card(giftCardId)?.code ?? null;
}

function sinceOf({ since }: Waiting): number {
  if (since === undefined) return Number.NEGATIVE_INFINITY;
  const at = parseDateTime(since);
  if (at === undefined) throw new ControlError(400, `since is no time: "${since}"; write it like 2026-01-15T12:00:00Z.`);
  return at;
}

/** In milliseconds. */
function waitOf({ wait }: Waiting): number {
  if (wait === undefined) return 0;
  const milliseconds = millisecondsOf(wait);
  if (milliseconds === undefined || milliseconds > LONGEST_WAIT)
    throw new ControlError(400, `wait is a duration of at most 10 minutes, such as 500ms, 10s or PT2M, not "${wait}".`);
  return milliseconds;
}
