import { parseDateTime } from '../../openapi/date-time.ts';
import type { Account } from '../account.ts';
import type { Attempt, Delivery } from '../effects/delivery.ts';
import type { Suppressed } from '../effects/effects.ts';
import type { Email } from '../effects/outbox.ts';
import type { ReceiverAnswer } from '../effects/post.ts';
import { hiddenInAddress, hiddenInAddresses } from '../hide-in-address.ts';
import { Held } from '../journal/held.ts';
import { hiddenInBody } from '../journal/secrets.ts';
import type { Topic } from '../outcome.ts';
import type { CardRecord } from '../records.ts';
import { settle } from '../settle.ts';
import { time } from '../time.ts';
import { withoutMoment } from './account-views.ts';
import { ControlError } from './control-error.ts';

/** How long a read waits, and for how many; without `wait` it answers with what is there. */
interface Waiting {
  /** "10s", "500ms", "2m": real time. */
  readonly wait?: string;
  /** Waits for so many matches instead of one. */
  readonly count?: number;
  /** Only what came at this time of the account's clock or later (ISO 8601, UTC). */
  readonly since?: string;
  readonly giftCardId?: string;
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
  const { topic, giftCardId, webhookId, state } = filter;
  if (webhookId !== undefined) mustHaveBeen(account, webhookId);
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Delivery) => Date.parse(one.queuedAtUtc) >= from && fits(one, { topic, giftCardId, webhookId, state });
  const { found } = await account.deliveries.waitFor(matches, milliseconds, filter.count);
  return found.map(deliveryView);
}

/** The emails that would have been sent, oldest first. */
export async function emailsOf({ outbox }: Account, filter: EmailFilter = {}) {
  const { kind, to, giftCardId } = filter;
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Email) => Date.parse(one.sentAtUtc) >= from && fits(one, { kind, to, giftCardId });
  const { found } = await outbox.waitFor(matches, milliseconds, filter.count);
  return found.map(withoutMoment);
}

/** What did not happen, oldest first, and the clause that says so. */
export async function suppressedOf({ effects }: Account, filter: SuppressedFilter = {}) {
  const { what, giftCardId } = filter;
  const [from, milliseconds] = [sinceOf(filter), waitOf(filter)];
  const matches = (one: Suppressed) => one.cause.at >= from && fits(one, { what, giftCardId });
  const { found } = await effects.waitForSuppressed(matches, milliseconds, filter.count);
  return found.map((noted) => ({ ...withoutMoment(noted), atUtc: time(noted.cause.at) }));
}

/** Posts a delivery once more, byte by byte as it was, and answers with it when the receiver has answered. */
export async function resend(account: Account, requestId: string) {
  const delivery = account.deliveries.all().findLast((one) => one.requestId === requestId);
  if (!delivery) throw new ControlError(404, `The account ${account.id} has no delivery with the RequestId ${requestId}.`);
  if (delivery.state === 'queued')
    throw new ControlError(409, `The delivery ${requestId} has not had its own attempt yet; wait for it first.`);
  await account.deliveries.resend(delivery, account.cause('control', 'resend', account.clock.now()));
  return deliveryView(delivery);
}

/** Delivers a topic for a card as if what it tells of had happened, to every webhook; answers with the deliveries, which have not left yet. */
export function fire(account: Account, card: CardRecord, topic: Topic) {
  if (!account.settings.subscriptionActive)
    throw new ControlError(409, `The subscription of the account ${account.id} is not active, so nothing is delivered.`);
  if (!Array.from(account.state.webhooks()).some(({ enabled }) => enabled))
    throw new ControlError(409, `The account ${account.id} has no enabled webhook; POST /api/Webhook/Create registers one.`);
  const now = account.clock.now();
  settle(account, now);
  const cause = account.cause('control', 'fire', now);
  account.effects.queue([{ kind: 'delivery', topic, card: account.state.card(card.id) ?? card }], cause);
  return account.deliveries
    .all()
    .filter((one) => one.cause === cause)
    .map(deliveryView);
}

/** A delivery as the door shows it: signatures only so far that they can be told apart, addresses without what is secret in them. */
function deliveryView({ attempts, url, ...delivery }: Delivery) {
  // A receiver may say what it was sent.
  const signatures = new Held(attempts.flatMap(({ headers }) => signaturesIn(headers).map(([, value]) => value)));
  return {
    ...withoutMoment(delivery),
    url: hiddenInAddress(url),
    attempts: attempts.map((attempt) => attemptView(attempt, signatures)),
  };
}

function signaturesIn(headers: Attempt['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => /signature/i.test(name));
}

function attemptView({ headers, cause, answer, ...attempt }: Attempt, signatures: Held) {
  const beginnings = signaturesIn(headers).map(([name, value]) => [name, `${value.slice(0, 6)}***`]);
  return {
    ...attempt,
    headers: { ...headers, ...(Object.fromEntries(beginnings) as Record<string, string>) },
    answer: answer && answerView(answer, signatures),
    cause: { kind: cause.kind, what: cause.what },
  };
}

function answerView({ status, headers, body }: ReceiverAnswer, signatures: Held) {
  const shown = Object.entries(headers).map(([name, value]) => [name, signatures.hidden(hiddenInAddresses(value))]);
  return {
    status,
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: signatures.hidden(hiddenInBody(body)),
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

function sinceOf({ since }: Waiting): number {
  if (since === undefined) return Number.NEGATIVE_INFINITY;
  const at = parseDateTime(since);
  if (at === undefined) throw new ControlError(400, `since is no time: "${since}"; write it like 2026-01-15T12:00:00Z.`);
  return at;
}

/** In milliseconds. */
function waitOf({ wait }: Waiting): number {
  if (wait === undefined) return 0;
  const [, number, unit] = /^(\d{1,6})(ms|s|m)$/.exec(wait) ?? [];
  const milliseconds = Number(number) * { ms: 1, s: 1000, m: 60_000 }[(unit ?? 'ms') as 'ms' | 's' | 'm'];
  if (number === undefined || milliseconds > LONGEST_WAIT)
    throw new ControlError(400, `wait is at most 10 minutes, such as 500ms, 10s or 2m, not "${wait}".`);
  return milliseconds;
}
