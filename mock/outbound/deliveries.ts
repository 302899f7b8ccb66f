import { time } from '../domain/calendar.ts';
import type { Topic } from '../domain/outcome.ts';
import type { Count } from '../domain/tagged-types.ts';
import type { CardRecord } from '../state/records.ts';
import { Bounded } from './bounded.ts';
import type { Cause } from './cause.ts';
import { type Attempt, type Delivery, type DeliveryReference, deliveriesIn, lengthOf, referencesInto } from './delivery.ts';
import { DeliveryQueues, MAX_WAITING } from './delivery-queues.ts';
import type { OutboundAccount } from './outbound-account.ts';
import { payload } from './payload.ts';
import type { Post } from './post.ts';
import { signedRequest } from './signed-request.ts';
import { Waiters, type WaitResult } from './waiters.ts';
import { drop, WebhookSender } from './webhook-sender.ts';

/** The deliveries of an account as a snapshot keeps them. */
export interface DeliveriesState {
  /** Oldest first. */
  readonly kept: readonly Delivery[];
  readonly dropped: Count;
  /** In the order in which they were queued. */
  readonly waiting: readonly DeliveryReference[];
}

/** So many deliveries are sent in parallel under delivery.order: any. */
const PARALLEL = 32;

/** The deliveries of an account: created for an event, queued per webhook, sent once, and kept with every attempt. */
export class Deliveries {
  readonly #account: OutboundAccount;
  readonly #sender: WebhookSender;
  readonly #defect: (error: unknown) => void;
  readonly #log: (delivery: Delivery) => void;
  readonly #queues = new DeliveryQueues((delivery) => this.#send(delivery));
  readonly #kept = new Bounded<Delivery>(10_000, lengthOf);
  readonly #waiters = new Waiters<Delivery>();
  #dispatched = 0;

  /** `log` is called for each delivery that has ended. */
  constructor(account: OutboundAccount, post: Post, log: (delivery: Delivery) => void, defect: (error: unknown) => void) {
    this.#account = account;
    this.#log = log;
    this.#defect = defect;
    this.#sender = new WebhookSender(account, post, (delivery) => this.#kept.grown(delivery));
  }

  /** How many deliveries are no longer kept. */
  get dropped(): number {
    return this.#kept.dropped;
  }

  /** Oldest first. */
  all(): readonly Delivery[] {
    return this.#kept.all();
  }

  /** Resolves as `Waiters.wait` does. */
  waitFor(matches: (delivery: Delivery) => boolean, milliseconds: number, count = 1): Promise<WaitResult<Delivery>> {
    return this.#waiters.wait(this.all(), matches, count, milliseconds);
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
        queuedAtUtc: time(cause.at),
        cause,
        state: 'queued',
        result: undefined,
        milliseconds: undefined,
        failures: undefined,
        attempts: [],
      });
    }
    for (const delivery of created) {
      this.#kept.add(delivery);
      this.#waiters.notify(delivery);
    }
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

  /** Posts again exactly what was posted last, at once; a failure does not count. */
  async resend(delivery: Delivery, cause: Cause): Promise<Attempt> {
    const token = this.#account.state.webhook(delivery.webhookId)?.token ?? null;
    const request = delivery.attempts.findLast(({ kind }) => kind !== 'fault') ?? signedRequest(delivery.body, token);
    const attempt = await this.#queues.track(this.#sender.attempt(delivery, request, { kind: 'resend', fault: null, cause }));
    this.#waiters.notify(delivery);
    return attempt;
  }

  /** Resolves once no delivery is waiting or under way. */
  settled(): Promise<void> {
    return this.#queues.settled();
  }

  /** Resolves once each of these has ended, or the account was stopped. */
  async answered(deliveries: readonly Delivery[]): Promise<void> {
    const pending = new Set(deliveries.filter(({ state }) => state === 'queued'));
    await this.#waiters.wait([], (delivery) => pending.has(delivery) && delivery.state !== 'queued', pending.size);
  }

  /** A delivery that is under way has an outcome that the snapshot cannot know; it is not sent again. */
  state(): DeliveriesState {
    const refer = this.references();
    return {
      kept: this.all().map((delivery) =>
        delivery.state === 'queued' && this.#queues.isUnderWay(delivery)
          ? { ...delivery, state: 'unknown', result: { unknown: 'it was under way when the snapshot was taken' } }
          : { ...delivery },
      ),
      dropped: this.dropped,
      waiting: this.#queues.waiting().map(refer),
    };
  }

  /** How a snapshot refers to a delivery. */
  references(): (delivery: Delivery) => DeliveryReference {
    return referencesInto(this.all());
  }

  /** Restores into a new account and sends what waited; returns what resolves a reference. */
  restore({ kept, dropped, waiting }: DeliveriesState): (reference: DeliveryReference) => Delivery {
    const restored = kept.map((delivery) => ({ ...delivery }));
    this.#kept.restore(restored, dropped);
    const find = deliveriesIn(restored);
    for (const reference of waiting) this.dispatch(find(reference));
    return find;
  }

  /** Drops what is still waiting and ends every wait; what is under way comes to its end. */
  stop(): void {
    this.#sender.stop();
    this.#waiters.stop();
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
    this.#waiters.notify(delivery);
  }
}
