import { clauseValues } from '../../openapi/generated/clauses.ts';
import { elapsed, later } from '../account/clock.ts';
import { time } from '../domain/calendar.ts';
import type { WebhookRecord } from '../state/records.ts';
import type { Attempt, Delivery } from './delivery.ts';
import { decoyRequest, faultyRequest } from './faulty-request.ts';
import type { OutboundAccount } from './outbound-account.ts';
import type { Post } from './post.ts';
import { isDelivered, postLimits, type SignedRequest, signedRequest } from './signed-request.ts';

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
    const { faults, behaviors } = this.#account;
    const webhook = this.#webhookOf(delivery);
    if (!webhook) return;
    const { cause, body } = delivery;
    const strike = faults?.strikeDelivery(delivery, webhook.token !== null);
    const fault = strike?.id ?? null;
    if (strike && strike.rule.milliseconds > 0) {
      await this.#pause(strike.rule.milliseconds);
      if (!this.#webhookOf(delivery)) return;
    }

    const decoy = strike && decoyRequest(strike.rule.fault, body, webhook.token);
    const answers = decoy ? [await this.attempt(delivery, decoy, { kind: 'fault', fault, cause })] : [];
    // After a decoy, the delivery itself is sent as always.
    const isFaulty = strike !== undefined && !decoy;
    const request = (strike && faultyRequest(strike.rule.fault, body, webhook.token)) ?? signedRequest(body, webhook.token);
    const sent = await this.attempt(delivery, request, { kind: 'delivery', fault: isFaulty ? fault : null, cause });
    if (isFaulty) answers.push(sent);
    if (strike?.rule.fault === 'duplicate') answers.push(await this.attempt(delivery, request, { kind: 'fault', fault, cause }));

    const result = sent.answer ?? { error: sent.error ?? '' };
    const delivered = isDelivered(result, behaviors);
    delivery.milliseconds = sent.milliseconds;
    delivery.result = 'status' in result ? { status: result.status } : result;
    delivery.state = delivered ? 'delivered' : 'failed';
    delivery.failures = `${this.#countFailure(delivery, !delivered && !isFaulty)} of ${MAX_FAILURES} lifetime failures`;
    if (strike) faults?.answered(strike, answers);
  }

  /** Posts a request and keeps it with the receiver's answer. */
  async attempt(delivery: Delivery, request: SignedRequest, how: Pick<Attempt, 'kind' | 'fault' | 'cause'>): Promise<Attempt> {
    const { headers, body } = request;
    const started = elapsed();
    const sentAtUtc = time(this.#account.clock.now());
    const result = await this.#post(delivery.url, Buffer.from(body, 'utf8'), headers, postLimits(this.#account.behaviors));
    const [answer, error] = 'error' in result ? [null, result.error] : [result, null];
    const attempt: Attempt = { ...how, headers, body, sentAtUtc, answer, error, milliseconds: Math.round(elapsed() - started) };
    delivery.attempts = [...delivery.attempts, attempt];
    this.#attempted(delivery);
    return attempt;
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

/** The delivery is never sent. */
export function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
