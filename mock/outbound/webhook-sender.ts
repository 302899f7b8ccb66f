import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import { elapsed, later } from '../account/clock.ts';
import { time } from '../domain/calendar.ts';
import { bait, instead } from '../faults/drills.ts';
import type { CardRecord, WebhookRecord } from '../state/records.ts';
import type { Cause } from './cause.ts';
import type { Attempt, Delivery, Letter } from './delivery.ts';
import type { HeldBack } from './pairs.ts';
import { payload } from './payload.ts';
import type { Post, Posted } from './post.ts';
import { isDelivered, letterOf, patienceOf } from './signed-request.ts';

const FAILURES = clauseValues['webhook.disabled-after-failures'];

/** What a delivery was formed from, kept until it is sent where a reading looks at it again then. */
export interface Origin {
  readonly card: CardRecord;
  readonly webhook: WebhookRecord;
}

/** Takes a delivery to its receiver and keeps what came of it. */
export class Courier {
  readonly #account: Account;
  readonly #post: Post;
  /** Told after each attempt, and when the delivery has come to its end. */
  readonly #told: { attempted(delivery: Delivery): void; ended(delivery: Delivery): void };
  readonly #pauses = new Set<() => void>();
  #stopped = false;

  constructor(account: Account, post: Post, told: { attempted(delivery: Delivery): void; ended(delivery: Delivery): void }) {
    this.#account = account;
    this.#post = post;
    this.#told = told;
  }

  /** What has not set out by now is dropped; what is under way comes to its end. */
  stop(): void {
    this.#stopped = true;
    for (const resume of this.#pauses) resume();
  }

  /** Once and never again (delivery.attempted-once), unless a drill has it otherwise. `held` is of a drill that reorders this one and another. */
  async deliver(delivery: Delivery, origin: Origin | undefined, held: HeldBack | undefined): Promise<void> {
    const { drills, behaviors } = this.#account;
    const webhook = this.#webhookOf(delivery, origin);
    if (!webhook) {
      if (held) drills?.missed(held.exercise, held.delivery);
      return;
    }
    const exercise = held?.exercise ?? drills?.take(delivery, webhook);
    if (exercise && exercise.rule.milliseconds > 0) {
      await this.#pause(exercise.rule.milliseconds);
      if (!this.#webhookOf(delivery, origin)) {
        drills?.missed(exercise, delivery);
        return;
      }
    }
    this.#bringUpToDate(delivery, origin);

    const { cause, body } = delivery;
    const drill = exercise?.id ?? null;
    const lure = exercise && bait(exercise, body, webhook.token, behaviors);
    const lured = lure && (await this.attempt(delivery, lure, { kind: 'drill', drill, cause }));
    // What follows a lure is the delivery as it always is.
    const isDrilled = exercise !== undefined && !lure;
    const letter = (exercise && instead(exercise, body, webhook.token, behaviors)) ?? letterOf(body, webhook.token, behaviors);
    const posted = await this.attempt(delivery, letter, { kind: 'delivery', drill: isDrilled ? drill : null, cause });
    delivery.milliseconds = delivery.attempts.at(-1)?.milliseconds;
    const again = exercise?.rule.drill === 'duplicate' && (await this.attempt(delivery, letter, { kind: 'drill', drill, cause }));

    const delivered = isDelivered(posted, behaviors);
    delivery.result = 'status' in posted ? { status: posted.status } : posted;
    delivery.state = delivered ? 'delivered' : 'failed';
    delivery.failures = `${this.#count(delivery, delivered || isDrilled)} of ${FAILURES} lifetime failures`;
    if (held && held.delivery !== delivery) held.answer = posted;
    else if (exercise) {
      const first = held?.answer ? [held.answer] : [];
      drills?.heard(exercise, delivery, lured ? [lured] : again ? [posted, again] : [...first, posted]);
    }
    this.#told.ended(delivery);
  }

  /** Posts an empty object to a receiver; where nobody answers, its webhook is removed again (webhook.create.url-checked). */
  async tryOut({ id, url, token }: WebhookRecord, cause: Cause): Promise<void> {
    if (url === null) return;
    const { behaviors } = this.#account;
    const { headers, body } = letterOf('{}', token, behaviors);
    const posted = await this.#post(url, Buffer.from(body, 'utf8'), headers, patienceOf(behaviors));
    if ('error' in posted && !this.#stopped) this.#account.apply([{ table: 'webhooks', remove: id }], cause);
  }

  /** One attempt, which is kept with all that went and came. */
  async attempt(delivery: Delivery, { headers, body }: Letter, how: Pick<Attempt, 'kind' | 'drill' | 'cause'>): Promise<Posted> {
    const started = elapsed();
    const sentAtUtc = time(this.#account.clock.now());
    const posted = await this.#post(delivery.url, Buffer.from(body, 'utf8'), headers, patienceOf(this.#account.behaviors));
    const [answer, error] = 'error' in posted ? [null, posted.error] : [posted, null];
    const attempt: Attempt = { ...how, headers, body, sentAtUtc, answer, error, milliseconds: Math.round(elapsed() - started) };
    delivery.attempts = [...delivery.attempts, attempt];
    this.#told.attempted(delivery);
    return posted;
  }

  /** The webhook that a delivery still goes to; without one, it is dropped. */
  #webhookOf(delivery: Delivery, origin: Origin | undefined): WebhookRecord | undefined {
    const { state, behaviors } = this.#account;
    const registered = state.webhook(delivery.webhookId);
    // delivery.waiting-when-webhook-goes: a webhook that is gone is the one that it was.
    const isSent = behaviors['delivery.waiting-when-webhook-goes'] === 'sent';
    const webhook = isSent ? (registered ?? origin?.webhook) : registered;
    if (this.#stopped) drop(delivery, 'the sandbox was reset or closed meanwhile');
    else if (webhook && (webhook.enabled || isSent)) return webhook;
    else {
      drop(delivery, webhook ? 'the webhook was disabled meanwhile' : 'the webhook was deleted meanwhile');
      this.#told.ended(delivery);
    }
    return undefined;
  }

  /** delivery.values-as-of: of what its event brought about, the balance and the status stay, whatever happened since. */
  #bringUpToDate(delivery: Delivery, origin: Origin | undefined): void {
    if (!origin || this.#account.behaviors['delivery.values-as-of'] !== 'sending') return;
    const card = this.#account.state.card(delivery.giftCardId);
    if (!card) return;
    const { balance, status } = origin.card;
    delivery.body = payload(delivery.topic, { ...card, balance, status }, delivery.requestId, this.#account);
  }

  /** A success takes nothing back (webhook.failures-count-for-life); at the sixth failure it is over (webhook.disabled-after-failures). */
  #count({ webhookId, cause }: Delivery, delivered: boolean): number {
    const webhook = this.#account.state.webhook(webhookId);
    if (!webhook) return 0;
    if (delivered || !webhook.enabled) return webhook.failures;
    const failures = webhook.failures + 1;
    const counted: WebhookRecord = { ...webhook, failures, enabled: failures < FAILURES };
    this.#account.apply([{ table: 'webhooks', put: counted }], cause);
    if (!counted.enabled) this.#account.journal.disabled(webhookId, cause, this.#account.clock.now());
    return failures;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        this.#pauses.delete(resume);
        callOff();
        resolve();
      };
      const callOff = later(milliseconds, resume);
      this.#pauses.add(resume);
    });
  }
}

/** It was never sent. */
export function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
