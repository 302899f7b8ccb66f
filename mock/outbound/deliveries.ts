import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account/account.ts';
import { time } from '../domain/calendar.ts';
import type { Topic } from '../domain/outcome.ts';
import type { CardRecord, WebhookRecord } from '../state/records.ts';
import { Bounded } from './bounded.ts';
import type { Cause } from './cause.ts';
import { type Attempt, type Delivery, lengthOf } from './delivery.ts';
import { Lines, MOST_WAITING } from './delivery-queues.ts';
import { type HeldBack, Pairs, type PairsState } from './pairs.ts';
import { payload } from './payload.ts';
import type { Post } from './post.ts';
import { type DeliveryReference, type Find, foundAmong, type Refer, referringTo } from './references.ts';
import { letterOf } from './signed-request.ts';
import { type Waited, Waits } from './waiters.ts';
import { Courier, drop, type Origin } from './webhook-sender.ts';

/** The deliveries of an account as a value. */
export interface DeliveriesState extends PairsState {
  /** Oldest first. */
  readonly kept: readonly Delivery[];
  readonly dropped: number;
  /** What waits in the lines, one webhook after the other. */
  readonly waiting: readonly DeliveryReference[];
  readonly origins: readonly (readonly [DeliveryReference, Origin])[];
}

/** The deliveries of an account, from the event to the receiver's answer. */
export class Deliveries {
  readonly #account: Account;
  readonly #courier: Courier;
  readonly #defect: (error: unknown) => void;
  readonly #lines = new Lines((delivery) => this.#deliver(delivery));
  readonly #deliveries = new Bounded<Delivery>(10_000, lengthOf);
  readonly #origins = new Map<Delivery, Origin>();
  readonly #pairs = new Pairs();
  readonly #waits = new Waits<Delivery>();
  /** Told of each that has come to its end. */
  readonly #ended: (delivery: Delivery) => void;

  /** `told` hears of each that has come to its end. */
  constructor(account: Account, post: Post, told: (delivery: Delivery) => void, defect: (error: unknown) => void) {
    this.#account = account;
    this.#defect = defect;
    this.#ended = (delivery) => {
      told(delivery);
      this.#waits.tell(delivery);
    };
    this.#courier = new Courier(account, post, {
      attempted: (delivery) => this.#deliveries.grown(delivery),
      ended: this.#ended,
    });
  }

  /** How many deliveries are not kept any more. */
  get dropped(): number {
    return this.#deliveries.dropped;
  }

  /** Oldest first. */
  all(): readonly Delivery[] {
    return this.#deliveries.all();
  }

  /**
   * Resolves as soon as `count` deliveries match, those that are there and those to come, or when so many real milliseconds are over, or the
   * account is.
   */
  waitFor(matches: (delivery: Delivery) => boolean, milliseconds: number, count = 1): Promise<Waited<Delivery>> {
    return this.#waits.for(this.all(), matches, count, milliseconds);
  }

  /**
   * Forms a delivery for each enabled webhook: all of them get every topic (delivery.no-topic-filter), and two of the same URL get two
   * (delivery.one-per-webhook). `dispatch` sends them.
   */
  form(topic: Topic, card: CardRecord, cause: Cause): Delivery[] {
    const { state, chance } = this.#account;
    const formed: Delivery[] = [];
    for (const webhook of state.webhooks()) {
      if (!webhook.enabled || webhook.url === null) continue; // webhook.disabled-gets-no-deliveries
      const requestId = chance.guid();
      const delivery: Delivery = {
        requestId,
        webhookId: webhook.id,
        url: webhook.url,
        topic,
        giftCardId: card.id,
        body: payload(topic, card, requestId, this.#account),
        signed: webhook.token !== null,
        queuedAtUtc: time(cause.at),
        cause,
        state: 'queued',
        result: undefined,
        milliseconds: undefined,
        failures: undefined,
        attempts: [],
      };
      formed.push(delivery);
      if (looksBack(this.#account.behaviors)) this.#origins.set(delivery, { card, webhook });
    }
    for (const delivery of formed) {
      this.#deliveries.add(delivery);
      this.#waits.tell(delivery);
    }
    return formed;
  }

  dispatch(delivery: Delivery): void {
    const pair = this.#pairs.complete(delivery);
    if (pair) {
      for (const one of pair) this.#line(one);
      return;
    }
    const webhook = this.#account.state.webhook(delivery.webhookId);
    const exercise = webhook && this.#account.drills?.take(delivery, webhook, true);
    if (exercise) this.#pairs.hold(delivery, exercise);
    else this.#line(delivery);
  }

  /** Lets go on what was kept back for a drill that is not set any more, or for a webhook that gets no more deliveries to overtake it. */
  release(): void {
    const { drills, state } = this.#account;
    const isInVain = ({ delivery: { webhookId }, exercise: { id } }: HeldBack) =>
      !drills?.has(id) || !state.webhook(webhookId)?.enabled;
    for (const { delivery, exercise } of this.#pairs.letGo(isInVain)) {
      drills?.missed(exercise, delivery);
      this.#line(delivery);
    }
  }

  /** Posts exactly what was posted last, once more and at once, or what would have been; it costs the webhook nothing. */
  async resend(delivery: Delivery, cause: Cause): Promise<Attempt> {
    const { state, behaviors } = this.#account;
    const token = state.webhook(delivery.webhookId)?.token ?? null;
    const last = delivery.attempts.findLast(({ kind }) => kind !== 'drill') ?? letterOf(delivery.body, token, behaviors);
    await this.#lines.follow(this.#courier.attempt(delivery, last, { kind: 'resend', drill: null, cause }));
    this.#waits.tell(delivery);
    return delivery.attempts.findLast(({ kind }) => kind === 'resend') as Attempt;
  }

  /** Posts an empty object to a receiver; where nobody answers, its webhook is removed again (webhook.create.url-checked). */
  tryOut(webhook: WebhookRecord, cause: Cause): void {
    void this.#lines.follow(this.#courier.tryOut(webhook, cause).catch(this.#defect));
  }

  /** Resolves once no delivery is under way or waiting in a line; what a drill keeps back waits for another delivery, not for time. */
  settled(): Promise<void> {
    return this.#lines.settled();
  }

  /**
   * Resolves once none of these is under way or waiting in a line any more, or the account is gone. Nobody waits for what others cause meanwhile,
   * nor for what waits for something else than its turn.
   */
  answered(deliveries: readonly Delivery[]): Promise<void> {
    return this.#lines.left(deliveries);
  }

  /** Everything that a snapshot keeps. What is under way now has an outcome that it cannot know; it is not sent again. */
  state(): DeliveriesState {
    const underWay = this.#underWay();
    const refer = this.references();
    return {
      kept: this.all().map((delivery) =>
        underWay.has(delivery) ? { ...delivery, state: 'unknown', result: UNDER_WAY } : { ...delivery },
      ),
      dropped: this.dropped,
      waiting: this.#lines.waiting().map(refer),
      origins: Array.from(this.#origins, ([delivery, origin]) => [refer(delivery), origin]),
      ...this.#pairs.state(refer),
    };
  }

  /** The RequestIds of those that the state knows no outcome of, or of half of the pair only: no drill can judge by them. */
  undecided(): ReadonlySet<string> {
    return new Set(Array.from([...this.#underWay(), ...this.#pairs.halfway()], ({ requestId }) => requestId));
  }

  #underWay(): Set<Delivery> {
    return new Set(Array.from(this.#lines.underWay()).filter(({ state }) => state === 'queued'));
  }

  /** How the state refers to a delivery. */
  references(): Refer {
    return referringTo(this.all());
  }

  /** Puts back what `state` gave, in an account that has no deliveries yet, and sends what waits; answers what finds a delivery that is referred to. */
  restore(state: DeliveriesState): Find {
    const { kept, dropped, waiting, origins } = state;
    const own = kept.map((delivery) => ({ ...delivery }));
    this.#deliveries.restore(own, dropped);
    const find = foundAmong(own);
    for (const [reference, origin] of origins) this.#origins.set(find(reference), origin);
    this.#pairs.restore(state, find);
    for (const reference of waiting) this.#line(find(reference));
    return find;
  }

  /** What still waits in a line is not sent any more; what is under way comes to its end; nobody waits any longer. */
  stop(): void {
    this.#courier.stop();
    this.#waits.end();
    this.#lines.end();
  }

  /** It never sets out, since too many wait already. */
  giveUp(delivery: Delivery, what: string): void {
    const held = this.#pairs.take(delivery);
    if (held) this.#account.drills?.missed(held.exercise, held.delivery);
    this.#origins.delete(delivery);
    drop(delivery, `${MOST_WAITING} deliveries of the account ${what} already`);
    this.#ended(delivery);
  }

  /**
   * Each webhook has its own line, so a slow receiver holds up nobody else (delivery.order); in any order, those that no drill has put in order
   * are in one line, several abreast.
   */
  #line(delivery: Delivery): void {
    if (this.#lines.isFull) {
      this.giveUp(delivery, 'wait for their receivers');
      return;
    }
    const inAnyOrder = this.#account.behaviors['delivery.order'] === 'any' && !this.#pairs.has(delivery);
    if (inAnyOrder) this.#lines.add(ANY, delivery, MOST_ABREAST);
    else this.#lines.add(delivery.webhookId, delivery);
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const [origin, held] = [this.#origins.get(delivery), this.#pairs.take(delivery)];
    this.#origins.delete(delivery);
    try {
      await this.#courier.deliver(delivery, origin, held);
    } catch (error) {
      this.#defect(error);
      if (delivery.state === 'queued') drop(delivery, 'the sandbox has a defect');
    }
  }
}

/** The line of those that go in any order, which no webhook has for an id; so many of them have a connection at the same time. */
const ANY = '';
const MOST_ABREAST = 32;

const UNDER_WAY = { unknown: 'it was under way when the snapshot was taken' };

/** delivery.values-as-of, delivery.waiting-when-webhook-goes */
function looksBack(behaviors: Behaviors): boolean {
  return behaviors['delivery.values-as-of'] === 'sending' || behaviors['delivery.waiting-when-webhook-goes'] === 'sent';
}
