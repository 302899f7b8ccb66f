import { type Behaviors, clauseValues } from '../../openapi/generated/clauses.ts';
import { elapsed, later } from '../account/clock.ts';
import { formatTime } from '../domain/dates.ts';
import type { DeliveryRule } from '../faults/rules.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { OutboundAccount } from './outbound-account.ts';
import type { Post, PostResult } from './post.ts';
import { reSerialize, type SignedRequest, signRequest } from './signature.ts';

const MAX_FAILURES = clauseValues['webhook.disabled-after-failures'];

/** Sends a delivery to its receiver and counts the failures of the webhook. */
export class WebhookSender {
  readonly #account: OutboundAccount;
  readonly #post: Post;
  readonly #attempted: (delivery: Delivery) => void;
  readonly #pauses = new Set<() => void>();
  #stopped = false;

  /** `attempted` is called after each attempt. */
  constructor(account: OutboundAccount, post: Post, attempted: (delivery: Delivery) => void) {
    this.#account = account;
    this.#post = post;
    this.#attempted = attempted;
  }

  /** Deliveries that were not posted yet are dropped; those under way come to their end. */
  stop(): void {
    this.#stopped = true;
    for (const resume of this.#pauses) resume();
  }

  /** Posts once and never again (delivery.attempted-once), unless a fault adds a post. */
  async send(delivery: Delivery): Promise<void> {
    const { faults } = this.#account;
    const token = this.#webhookOf(delivery)?.token;
    if (token === undefined) return;
    const struck = faults?.strikeDelivery(delivery, token !== null);
    if (!faults || !struck) {
      this.#end(delivery, await this.#attempt(delivery, signRequest(delivery.body, token), 'delivery', null), true);
      return;
    }
    if (struck.rule.milliseconds > 0) await this.#pause(struck.rule.milliseconds);
    const answers = this.#webhookOf(delivery) ? await this.#sendWithFault(delivery, token, struck) : [];
    faults.decide(struck, answers);
  }

  /** Returns the receiver's answers to the posts that the fault changed or added. */
  async #sendWithFault(
    delivery: Delivery,
    token: string | null,
    { rule: { fault }, id }: { readonly rule: DeliveryRule; readonly id: string },
  ): Promise<readonly Attempt[]> {
    const { body } = delivery;
    const own = signRequest(body, token);
    if (fault === 'wrong-signature' || fault === 'unsigned') {
      // After a decoy, the delivery itself is sent as always.
      const decoy = signRequest(body, fault === 'unsigned' ? null : `not ${token}`);
      const answer = await this.#attempt(delivery, decoy, 'fault', id);
      this.#end(delivery, await this.#attempt(delivery, own, 'delivery', null), true);
      return [answer];
    }
    const request = fault === 're-serialized' ? signRequest(reSerialize(body), token) : own;
    const sent = await this.#attempt(delivery, request, 'delivery', id);
    const again = fault === 'duplicate' ? [await this.#attempt(delivery, request, 'fault', id)] : [];
    this.#end(delivery, sent, false);
    return [sent, ...again];
  }

  /** Posts again exactly what was posted last; a failure does not count. */
  resend(delivery: Delivery, cause: Attempt['cause']): Promise<Attempt> {
    const token = this.#account.state.webhook(delivery.webhookId)?.token ?? null;
    const last = delivery.attempts.findLast(({ kind }) => kind !== 'fault');
    return this.#attempt(delivery, last ?? signRequest(delivery.body, token), 'resend', null, cause);
  }

  /** Posts a request and keeps it with the receiver's answer. */
  async #attempt(
    delivery: Delivery,
    { headers, body }: SignedRequest,
    kind: Attempt['kind'],
    fault: string | null,
    cause = delivery.cause,
  ): Promise<Attempt> {
    const { clock, behaviors } = this.#account;
    const started = elapsed();
    const sentAtUtc = formatTime(clock.now());
    const result = await this.#post(delivery.url, Buffer.from(body, 'utf8'), headers, {
      seconds: Number(behaviors['delivery.time-out']),
      followsRedirects: behaviors['delivery.redirects'] === 'followed',
    });
    const [answer, error] = 'error' in result ? [null, result.error] : [result, null];
    const milliseconds = Math.round(elapsed() - started);
    const attempt: Attempt = { kind, fault, cause, headers, body, sentAtUtc, answer, error, milliseconds };
    delivery.attempts = [...delivery.attempts, attempt];
    this.#attempted(delivery);
    return attempt;
  }

  /** `counts`: whether a failure counts for the webhook. */
  #end(delivery: Delivery, { answer, error, milliseconds }: Attempt, counts: boolean): void {
    const result = answer ?? { error: error ?? '' };
    const delivered = isDelivered(result, this.#account.behaviors);
    delivery.milliseconds = milliseconds;
    delivery.result = answer ? { status: answer.status } : { error: error ?? '' };
    delivery.state = delivered ? 'delivered' : 'failed';
    delivery.failures = `${this.#countFailure(delivery, counts && !delivered)} of ${MAX_FAILURES} lifetime failures`;
  }

  /** The webhook of a delivery that may still be sent; without one, the delivery is dropped. */
  #webhookOf(delivery: Delivery): WebhookRecord | undefined {
    const webhook = this.#account.state.webhook(delivery.webhookId);
    if (this.#stopped) drop(delivery, 'the sandbox was reset or closed meanwhile');
    else if (webhook?.enabled) return webhook;
    else drop(delivery, webhook ? 'the webhook was disabled meanwhile' : 'the webhook was deleted meanwhile');
    return undefined;
  }

  /** Failures never reset (webhook.failures-count-for-life). After the sixth, the webhook is disabled (webhook.disabled-after-failures). */
  #countFailure({ webhookId, cause }: Delivery, failed: boolean): number {
    const { state, journal, clock } = this.#account;
    const webhook = state.webhook(webhookId);
    if (!webhook) return 0;
    if (!failed || !webhook.enabled) return webhook.failures;
    const failures = webhook.failures + 1;
    const enabled = failures < MAX_FAILURES;
    this.#account.apply([{ table: 'webhooks', put: { ...webhook, failures, enabled } }], cause);
    if (!enabled) journal.disabled(webhookId, cause, clock.now());
    return failures;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        this.#pauses.delete(resume);
        cancel();
        resolve();
      };
      const cancel = later(milliseconds, resume);
      this.#pauses.add(resume);
    });
  }
}

/** delivery.any-2xx-succeeds, delivery.failure */
function isDelivered(result: PostResult, behaviors: Behaviors): boolean {
  if ('error' in result) return false;
  if (behaviors['delivery.failure'] === 'no-answer-or-5xx') return result.status < 500;
  return result.status >= 200 && result.status < 300;
}

/** The delivery is never sent. */
export function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
