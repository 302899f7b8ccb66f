import { formatTime } from '../domain/dates.ts';
import type { Topic } from '../domain/outcome.ts';
import type { CardRecord } from '../state/records.ts';
import type { Count } from '../state/value-types.ts';
import { BoundedLog } from './bounded-log.ts';
import type { Cause } from './cause.ts';
import { type Attempt, type Delivery, lengthOf } from './delivery.ts';
import { DeliveryQueues, MAX_WAITING } from './delivery-queues.ts';
import type { OutboundAccount } from './outbound-account.ts';
import { payload } from './payload.ts';
import type { Post } from './post.ts';
import { drop, WebhookSender } from './webhook-sender.ts';

/** The deliveries of an account as a snapshot keeps them. */
export interface DeliveriesState {
  /** Oldest first. Those that are `queued` have not been sent. */
  readonly kept: readonly Delivery[];
  readonly dropped: Count;
}

/** The number of deliveries that are sent in parallel under delivery.order: any. */
const PARALLEL = 32;

/** The deliveries of an account: created for an event, queued per webhook, sent once, and kept with every attempt. */
export class Deliveries extends BoundedLog<Delivery> {
  readonly #account: OutboundAccount;
  readonly #sender: WebhookSender;
  readonly #defect: (error: unknown) => void;
  readonly #log: (delivery: Delivery) => void;
  readonly #queues = new DeliveryQueues((delivery) => this.#send(delivery));
  #dispatched = 0;

  /** `log` is called for each delivery that has ended. */
  constructor(account: OutboundAccount, post: Post, log: (delivery: Delivery) => void, defect: (error: unknown) => void) {
    super(lengthOf);
    this.#account = account;
    this.#log = log;
    this.#defect = defect;
    this.#sender = new WebhookSender(account, post, (delivery) => this.update(delivery));
  }

  /**
   * Creates a delivery for each enabled webhook: each of them gets every topic (delivery.no-topic-filter), and two with the same URL get two
   * (delivery.one-per-webhook). `dispatch` sends them.
   */
  create(topic: Topic, card: CardRecord, cause: Cause): readonly Delivery[] {
    const { state, chance } = this.#account;
    const created: Delivery[] = [];
    for (const { id, url, token, enabled } of state.webhooks()) {
      if (!enabled || url === null) continue; // webhook.disabled-gets-no-deliveries
      const requestId = chance.guid();
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
        result: undefined,
        milliseconds: undefined,
        failures: undefined,
        attempts: [],
      });
    }
    // If a payload throws, no delivery of the event is kept.
    for (const delivery of created) this.add(delivery);
    return created;
  }

  /** Queues a delivery. Each webhook has its own queue, so a slow receiver delays only its own deliveries (delivery.order). */
  dispatch(delivery: Delivery): void {
    if (this.#queues.isFull) {
      drop(delivery, `${MAX_WAITING} deliveries of the account wait for their receivers already`);
      this.#end(delivery);
      return;
    }
    const inOrder = this.#account.behaviors['delivery.order'] === 'as-they-happened';
    this.#queues.add(inOrder ? delivery.webhookId : `any ${this.#dispatched++ % PARALLEL}`, delivery);
  }

  /** Posts again exactly what was posted last, at once. */
  resend(delivery: Delivery, cause: Cause): Promise<Attempt> {
    return this.#queues.track(this.#sender.resend(delivery, cause));
  }

  /** Resolves once no delivery is waiting or under way. */
  settled(): Promise<void> {
    return this.#queues.settled();
  }

  /** Resolves once each of these has ended, or the account was stopped. */
  async answered(deliveries: readonly Delivery[]): Promise<void> {
    const pending = new Set(deliveries.filter(({ state }) => state === 'queued'));
    await this.waitFor((delivery) => pending.has(delivery) && delivery.state !== 'queued', pending.size);
  }

  /** A delivery that is under way has an outcome that the snapshot cannot know; it is not sent again. */
  state(): DeliveriesState {
    const all = this.all();
    const known = new Set(all);
    const others = this.#queues.waiting().filter((delivery) => !known.has(delivery));
    return {
      kept: [...others, ...all].map((delivery) =>
        delivery.state === 'queued' && this.#queues.isUnderWay(delivery)
          ? { ...delivery, state: 'unknown', result: { unknown: 'it was under way when the snapshot was taken' } }
          : { ...delivery },
      ),
      dropped: this.dropped - others.length,
    };
  }

  /** Drops what is still waiting and ends every wait; what is under way comes to its end. */
  override stop(): void {
    this.#sender.stop();
    super.stop();
  }

  async #send(delivery: Delivery): Promise<void> {
    try {
      await this.#sender.send(delivery);
    } catch (error) {
      this.#defect(error);
      if (delivery.state === 'queued') drop(delivery, 'the sandbox has a defect');
    }
    this.#end(delivery);
  }

  #end(delivery: Delivery): void {
    this.#log(delivery);
    this.update(delivery);
  }
}
