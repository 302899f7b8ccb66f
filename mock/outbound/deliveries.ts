import type { ReasonName } from '../../openapi/generated/rules.ts';
import { formatTime } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import { redactorOf } from '../journal/redaction.ts';
import type { CardRecord } from '../state/records.ts';
import { BoundedLog } from './bounded-log.ts';
import type { Cause } from './cause.ts';
import { type Attempt, type Delivery, deliveryLength, drop } from './delivery.ts';
import type { OutboundAccount } from './outbound-account.ts';
import { payload } from './payload.ts';
import { postAgain, type Sending, sendDelivery } from './send.ts';

/** An effect that was not sent, with the reason and its rule. */
export interface SuppressedRecord {
  readonly what: string;
  readonly giftCardId: string;
  readonly rule: ReasonName;
  readonly why: string;
  readonly cause: Cause;
}

/** The largest number of parallel posts with the option `any` of delivery.order. */
const PARALLEL = 32;
/** The largest number of waiting deliveries in all queues of an account. Without a limit, a receiver that hangs could fill the memory. */
const MAX_WAITING = 10_000;

/** The deliveries of an account. A delivery is created for an event, queued per webhook, sent once, and kept with every attempt. */
export class Deliveries extends BoundedLog<Delivery> {
  readonly #account: OutboundAccount;
  readonly #stopping = new AbortController();
  readonly #sending: Sending;
  /** By queue, a promise that resolves when the last queued delivery has ended. The next delivery waits for this promise. */
  readonly #tails = new Map<string, Promise<void>>();
  /** The deliveries that wait until the store knows that they are under way. */
  readonly #claimed = new Set<Delivery>();
  readonly #underWay = new Set<Delivery>();
  #waiting = 0;
  #dispatched = 0;

  constructor(account: OutboundAccount) {
    super(deliveryLength, (number, entry) => account.persist('deliveries', number, entry));
    this.#account = account;
    this.#sending = { account, stopped: this.#stopping.signal, attempted: (delivery) => this.update(delivery) };
  }

  /** Returns the reason why the account has no receiver of deliveries. If the account has a receiver, returns undefined. */
  whyNone(): Pick<SuppressedRecord, 'rule' | 'why'> | undefined {
    const { settings, state } = this.#account;
    if (!settings.subscriptionActive)
      return { rule: 'delivery.only-while-subscribed', why: "the account's subscription is not active" };
    const webhooks = [...state.webhooks()];
    if (webhooks.length === 0) return { rule: 'delivery.one-per-webhook', why: 'the account has no webhook' };
    if (webhooks.some(({ enabled }) => enabled)) return undefined;
    const why = 'every webhook was disabled after too many failed deliveries';
    return { rule: 'webhook.disabled-gets-no-deliveries', why };
  }

  /**
   * Creates a delivery for each enabled webhook. Every webhook gets every topic (delivery.no-topic-filter), and two webhooks with the same URL get two
   * deliveries (delivery.one-per-webhook). `dispatch` sends the deliveries.
   */
  create(topic: Topic, card: CardRecord, cause: Cause): readonly Delivery[] {
    const { state, random } = this.#account;
    const created: Delivery[] = [];
    for (const { id, url, token, enabled } of state.webhooks()) {
      if (!enabled) continue; // webhook.disabled-gets-no-deliveries
      const requestId = random.guid();
      created.push({
        requestId,
        webhookId: id,
        url,
        topic,
        giftCardId: card.id,
        body: payload(topic, card, requestId, this.#account),
        signed: token !== null,
        queuedAtUtc: formatTime(cause.at),
        cause,
        state: 'queued',
        attempts: [],
      });
    }
    // If a payload throws, no delivery of the event is kept.
    for (const delivery of created) this.add(delivery);
    return created;
  }

  /** Queues a delivery. Each webhook has its own queue, so a slow receiver delays only its own deliveries (delivery.order). */
  dispatch(delivery: Delivery): void {
    if (this.#waiting >= MAX_WAITING) {
      drop(delivery, `${MAX_WAITING} deliveries of the account already wait for their receivers`);
      this.#end(delivery);
      return;
    }
    this.#waiting++;
    const isInOrder = this.#account.behaviors['delivery.order'] === 'as-they-happened';
    const queue = isInOrder ? delivery.webhookId : `any ${this.#dispatched++ % PARALLEL}`;
    const earlier = this.#tails.get(queue) ?? Promise.resolve();
    const sent = earlier.then(() => this.#send(delivery));
    this.#tails.set(queue, sent);
    sent.then(() => this.#tails.get(queue) === sent && this.#tails.delete(queue));
  }

  /** Posts the last request again immediately. */
  resend(delivery: Delivery, cause: Cause): Promise<Attempt> {
    return postAgain(delivery, cause, this.#sending);
  }

  /** Resolves once no delivery is waiting or under way. */
  async settled(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  /** Resolves once all these deliveries have ended, or the account was stopped. */
  async waitForEnd(deliveries: readonly Delivery[]): Promise<void> {
    const pending = new Set(deliveries.filter(({ state }) => state === 'queued'));
    await this.waitFor((delivery) => pending.has(delivery) && delivery.state !== 'queued', pending.size);
  }

  /** A running delivery is captured with an unknown result, so that a restored account does not send it again. */
  protected override captured(delivery: Delivery): Delivery {
    // A stopped account does not post its claimed deliveries, so the next start may post them.
    const isClaimed = this.#claimed.has(delivery) && !this.#stopping.signal.aborted;
    if (delivery.state !== 'queued' || !(isClaimed || this.#underWay.has(delivery))) return { ...delivery };
    return { ...delivery, state: 'unknown', result: { unknown: 'the sandbox stopped while the delivery was running' } };
  }

  /** Posts no waiting delivery any more, and ends every wait. Running deliveries continue. */
  override stop(): void {
    this.#stopping.abort();
    for (const delivery of this.#claimed) this.update(delivery);
    super.stop();
  }

  async #send(delivery: Delivery): Promise<void> {
    this.#waiting--;
    try {
      // Before the post, the store must know that the delivery is running. Otherwise a killed sandbox would send the delivery twice.
      this.#claimed.add(delivery);
      this.update(delivery);
      await this.#account.services.rows.stored();
      this.#claimed.delete(delivery);
      if (this.#stopping.signal.aborted) return; // The next start finds the delivery in the store, and posts it.
      this.#underWay.add(delivery);
      await sendDelivery(delivery, this.#sending);
    } catch (error) {
      this.#account.services.defect(error);
      if (delivery.state === 'queued') drop(delivery, 'the sandbox has a defect');
    }
    this.#underWay.delete(delivery);
    this.#end(delivery);
  }

  #end(delivery: Delivery): void {
    const { id, services } = this.#account;
    services.log.delivery(id, delivery, redactorOf([this.#account]));
    this.update(delivery);
  }
}
