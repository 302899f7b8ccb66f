import { type Behaviors, ruleValues } from '../../openapi/generated/rules.ts';
import { elapsed, pause } from '../account/clock.ts';
import { formatTime } from '../domain/dates.ts';
import type { WebhookRecord } from '../state/records.ts';
import { type Attempt, type Delivery, drop } from './delivery.ts';
import type { OutboundAccount } from './outbound-account.ts';
import { reSerialize, type SignedRequest, signRequest } from './signature.ts';

const MAX_FAILURES = ruleValues['webhook.disabled-after-failures'];

export interface Sending {
  readonly account: OutboundAccount;
  /** When the signal aborts, deliveries that were not posted yet are not posted here. Those in the store stay queued for the next start. */
  readonly stopped: AbortSignal;
  attempted(delivery: Delivery): void;
}

/** Posts a delivery once (delivery.attempted-once). A fault can change the post or add a post. */
export async function sendDelivery(delivery: Delivery, sending: Sending): Promise<void> {
  const { faults } = sending.account;
  const token = webhookOf(delivery, sending)?.token;
  if (token === undefined) return;
  const matchedFault = faults?.matchDelivery(delivery, token !== null);
  const fault = matchedFault?.rule.fault;
  if (matchedFault && matchedFault.rule.milliseconds > 0) {
    await pause(matchedFault.rule.milliseconds, sending.stopped).catch(() => {});
    if (!webhookOf(delivery, sending)) return;
  }
  const faultyPosts: Attempt[] = [];
  const postWithFault = async (request: SignedRequest, kind: Attempt['kind']) => {
    const sent = await attempt(delivery, request, { kind, fault: matchedFault?.id ?? null, cause: delivery.cause }, sending);
    faultyPosts.push(sent);
    return sent;
  };
  const { body } = delivery;
  const own = signRequest(fault === 're-serialized' ? reSerialize(body) : body, token);
  if (fault === 'wrong-signature' || fault === 'unsigned') {
    await postWithFault(signRequest(body, fault === 'unsigned' ? null : `not ${token}`), 'fault');
    end(delivery, await attempt(delivery, own, { kind: 'delivery', fault: null, cause: delivery.cause }, sending), true, sending);
  } else {
    const sent = await postWithFault(own, 'delivery');
    if (fault === 'duplicate') await postWithFault(own, 'fault');
    end(delivery, sent, !matchedFault, sending);
  }
  if (matchedFault) faults?.decide(matchedFault, faultyPosts);
}

/** Posts the last request again. A failed resend does not count as a failure of the webhook. */
export function postAgain(delivery: Delivery, cause: Attempt['cause'], sending: Sending): Promise<Attempt> {
  const token = sending.account.state.webhook(delivery.webhookId)?.token ?? null;
  const last = delivery.attempts.findLast(({ kind }) => kind !== 'fault');
  return attempt(delivery, last ?? signRequest(delivery.body, token), { kind: 'resend', fault: null, cause }, sending);
}

async function attempt(
  delivery: Delivery,
  { headers, body }: SignedRequest,
  reason: Pick<Attempt, 'kind' | 'fault' | 'cause'>,
  { account: { clock, behaviors, services }, attempted }: Sending,
): Promise<Attempt> {
  const started = elapsed();
  const sentAtUtc = formatTime(clock.now());
  const result = await services.post(delivery.url, Buffer.from(body, 'utf8'), headers, {
    seconds: Number(behaviors['delivery.time-out']),
    followsRedirects: behaviors['delivery.redirects'] === 'followed',
  });
  const [response, error] = 'error' in result ? [null, result.error] : [result, null];
  const milliseconds = Math.round(elapsed() - started);
  const made: Attempt = { ...reason, headers, body, sentAtUtc, response, error, milliseconds };
  delivery.attempts = [...delivery.attempts, made];
  attempted(delivery);
  return made;
}

/** Returns the webhook of a delivery. If the delivery must not be sent any more, drops the delivery. */
function webhookOf(delivery: Delivery, { account, stopped }: Sending): WebhookRecord | undefined {
  const webhook = account.state.webhook(delivery.webhookId);
  if (stopped.aborted) drop(delivery, 'the sandbox was reset or closed before the post');
  else if (webhook?.enabled) return webhook;
  else drop(delivery, webhook ? 'the webhook was disabled before the post' : 'the webhook was deleted before the post');
  return undefined;
}

/** Records the result. If `counts` is true, a failed delivery counts as a failure of the webhook. */
function end(delivery: Delivery, { response, error, milliseconds }: Attempt, counts: boolean, { account }: Sending): void {
  const isDelivered = response !== null && isSuccess(response.status, account.behaviors);
  delivery.result = response ? { status: response.status } : { error: error ?? '' };
  delivery.milliseconds = milliseconds;
  delivery.state = isDelivered ? 'delivered' : 'failed';
  if (counts && !isDelivered) countFailure(delivery, account);
  const failures = account.state.webhook(delivery.webhookId)?.failures ?? 0;
  delivery.failures = `${failures} of ${MAX_FAILURES} lifetime failures`;
}

/** delivery.any-2xx-succeeds, delivery.failure */
function isSuccess(status: number, behaviors: Behaviors): boolean {
  if (behaviors['delivery.failure'] === 'no-response-or-5xx') return status < 500;
  return status >= 200 && status < 300;
}

/** Counts a failure. Failures never reset (webhook.failures-count-for-life). The sixth disables the webhook (webhook.disabled-after-failures). */
function countFailure({ webhookId, cause }: Delivery, account: OutboundAccount): void {
  const webhook = account.state.webhook(webhookId);
  if (!webhook?.enabled) return;
  const failures = webhook.failures + 1;
  const enabled = failures < MAX_FAILURES;
  const change = { table: 'webhooks', put: { ...webhook, failures, enabled } } as const;
  account.journal.changed(cause, account.apply([change]));
  if (!enabled) account.journal.disabled(webhookId, cause, account.clock.now());
}
