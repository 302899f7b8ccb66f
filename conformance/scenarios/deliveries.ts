import type { Arrival, Mailbox, Receiver, ReceiverResponse } from '../core/receiver.ts';
import { sendsSerially } from '../core/result.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { whyNotGiven } from '../core/untestable.ts';
import type { MissingDelivery } from '../core/verdict.ts';
import { Untested } from '../safety/policy.ts';
import { type CreateFields, createCard, type TestCard } from './cards.ts';
import { bodiesOf, type DeliveryTopic } from './delivery-content.ts';
import { register, removeAll } from './webhooks.ts';

interface WebhookTerms {
  readonly query?: string;
  /** The tokens of the webhooks at the mailbox. Default: one webhook without a token. */
  readonly tokens?: readonly (string | undefined)[];
  /** The number of deliveries after which the webhook may be disabled. Later deliveries may be missing. */
  readonly enough?: number;
  /** The response to a delivery about a watched card. `before` counts the earlier deliveries to the mailbox with other bodies. */
  readonly response?: (before: number) => ReceiverResponse;
}

export type Subject = Pick<TestCard, 'name' | 'code' | 'id'>;

/** A delivery that a webhook must get. */
interface Expected {
  readonly box: Mailbox;
  readonly on: Subject;
  readonly topic: DeliveryTopic;
  /** The number of other webhooks at the mailbox that must get the delivery first. The mailbox does not show which webhook got a delivery. */
  readonly nth: number;
  /** When the event had happened, in milliseconds of `performance.now()`. */
  readonly since: number;
  /** The position of the last arrival before the event. */
  readonly after: number;
}

const nameOf = ({ topic, on }: Expected) => `${topic} of ${on.name}`;

/** Registers webhooks and collects the deliveries about watched cards. */
export class DeliveryWatch {
  readonly boxes: Mailbox[] = [];
  readonly receiver: Receiver;
  readonly #trial: Trial;
  readonly #key: string | undefined;
  /** Codes and IDs of the watched cards. One match is enough, because a delivery may have a wrong code or ID. */
  readonly #watched = new Set<unknown>();
  #expected: readonly Expected[] = [];
  /** The number of webhooks at each mailbox. */
  readonly #webhooks = new Map<Mailbox, number>();
  readonly #enough = new Map<Mailbox, number>();
  /** The position of the last arrival when the run had awaited an event. */
  #awaited = 0;
  /** The position of the last arrival that counts. Later arrivals are late. */
  #last = Number.POSITIVE_INFINITY;
  /** True if a response has prevented other deliveries. The mailboxes then respond without a delay. */
  isStarving = false;

  constructor(trial: Trial, key?: string) {
    const { receiver } = trial.run;
    const missing = whyNotGiven('receiver');
    if (!receiver) throw new Untested(missing.reason, missing.detail);
    this.receiver = receiver;
    this.#trial = trial;
    this.#key = key;
  }

  /** Registers webhooks at a new mailbox. The response to deliveries about other cards is 200. */
  async open(name: string, terms: WebhookTerms = {}): Promise<Mailbox> {
    const { query, tokens = [undefined], enough, response = () => ({ status: 200 }) } = terms;
    const box = await this.receiver.mailbox(name, query, (arrival, to) =>
      this.#isWatched(arrival) ? response(bodiesOf([...this.of(to), arrival]).indexOf(String(arrival.bytes))) : { status: 200 },
    );
    for (const token of tokens) await this.register(box, token);
    this.#webhooks.set(box, tokens.length);
    if (enough !== undefined) this.#enough.set(box, enough);
    this.boxes.push(box);
    return box;
  }

  /** Registers a webhook at the mailbox. Earlier deliveries went to another webhook, so they may be missing. */
  async register(box: Mailbox, token?: string): Promise<void> {
    const fields = token === undefined ? {} : { requestHeaderVerificationToken: token };
    const { response } = await register(this.#trial, box.url, fields, this.#key);
    const { protocol, origin } = new URL(box.url);
    if (response.status >= 400 && response.status < 500 && protocol === 'http:')
      throw new Untested(
        'no-receiver',
        `a webhook at ${origin} was rejected with ${response.status}; give the receiver an https address (--webhook-url)`,
      );
    mustSucceed(response, 'registering a webhook');
    this.#expected = this.#expected.filter((each) => each.box !== box || this.#hasArrived(each));
    this.#enough.delete(box);
  }

  /** Deletes the webhooks. Deliveries that arrive after this call are late. */
  close(): Promise<void> {
    this.#last = this.receiver.arrived;
    this.#trial.deliveries.push(...this.#summaries());
    const urls = this.boxes.map(({ url }) => url);
    return removeAll(this.#trial, urls, this.#key);
  }

  /** Creates a card that is watched from the start. */
  async createCard(fields: CreateFields = {}): Promise<TestCard> {
    const code = this.#trial.run.ledger.fresh();
    this.#watched.add(code);
    return this.watch(await createCard(this.#trial, { ...fields, code }, this.#key));
  }

  watch<T extends Pick<TestCard, 'code' | 'id'>>(on: T): T {
    this.#watched.add(on.code).add(String(on.id));
    return on;
  }

  #isWatched({ payload }: Arrival): boolean {
    return payload !== undefined && (this.#watched.has(payload.Code) || this.#watched.has(payload.GiftCardId));
  }

  /** Returns deliveries to the mailbox about all watched cards, about one card, or about one card and topic. */
  of(box: Mailbox, on?: Pick<TestCard, 'code' | 'id'>, topic?: DeliveryTopic): readonly Arrival[] {
    return this.#withLate(box, on, topic).filter(({ at }) => at <= this.#last);
  }

  #withLate(box: Mailbox, on?: Pick<TestCard, 'code' | 'id'>, topic?: DeliveryTopic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.#isWatched(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /** True if a request arrived that is more than a check of a webhook's URL. */
  get hasDelivered(): boolean {
    return this.boxes.some(({ arrivals }) => arrivals.some(({ bytes }) => bytes.length > '{}'.length));
  }

  /** Waits until each mailbox has the delivery, except mailboxes that miss an earlier one. Without this wait, the delivery of the next event could arrive first. */
  async arrival(on: Subject, topic: DeliveryTopic, boxes: readonly Mailbox[] = this.boxes): Promise<void> {
    // A target that has delivered nothing may not have started yet, so the run waits for all mailboxes.
    const awaited = boxes.filter((box) => !this.hasDelivered || this.missing([box]).length === 0);
    const event = { on, topic, since: performance.now(), after: this.#awaited };
    const expected = boxes.flatMap((box) =>
      Array.from({ length: this.#webhooks.get(box) ?? 1 }, (_, nth): Expected => ({ ...event, box, nth })),
    );
    this.#expected = [...this.#expected, ...expected];
    await this.#wait(expected.filter(({ box }) => awaited.includes(box)));
    this.#awaited = this.receiver.arrived;
  }

  /** Waits until the deadlines of all missing deliveries are over and nothing more arrives. */
  async lateArrivals(): Promise<void> {
    await this.#wait(this.#expected);
    // A target that sends without end must not prolong the run without end.
    const end = performance.now() + 4 * this.receiver.deadline;
    for (let last = -1; last !== this.receiver.arrived && performance.now() < end; ) {
      last = this.receiver.arrived;
      await this.pause(this.receiver.deadline / 5, () => this.receiver.arrived !== last);
    }
  }

  /** Returns the expected deliveries that have not arrived: to the mailboxes, about one card, or about one card and topic. */
  missing(boxes = this.boxes, on?: Pick<TestCard, 'code'>, topic?: DeliveryTopic): MissingDelivery[] {
    const isMeant = (each: Expected) =>
      boxes.includes(each.box) && (!on || each.on.code === on.code) && (!topic || each.topic === topic);
    return this.#expected
      .filter((each) => isMeant(each) && this.#isMissing(each))
      .map((each) => ({
        since: each.since,
        what: `${nameOf(each)} at the webhook "${each.box.name}"`,
        delay: () => this.#delayOf(each),
      }));
  }

  /** Returns the deliveries that arrived in place of a missing one: those about the card, until the run awaited the next event of the card. */
  instead(box: Mailbox, on: Pick<TestCard, 'code' | 'id'>, topic: DeliveryTopic): readonly Arrival[] {
    const events = this.#expected.filter((each) => each.box === box && each.on.code === on.code);
    const index = events.findIndex((each) => each.topic === topic);
    const [from, to] = [events[index]?.after ?? 0, events[index + 1]?.after ?? this.#last];
    return this.of(box, on).filter(({ at }) => at > from && at <= to);
  }

  /** Reports whether so many deliveries arrived that the webhook may be disabled. */
  hasEnough(box: Mailbox): boolean {
    return bodiesOf(this.of(box)).length >= (this.#enough.get(box) ?? Number.POSITIVE_INFINITY);
  }

  #isMissing(each: Expected): boolean {
    return !this.hasEnough(each.box) && !this.#hasArrived(each);
  }

  #hasArrived({ box, on, topic, nth }: Expected): boolean {
    return this.of(box, on, topic).length > nth;
  }

  /** Returns a sentence for each event. A webhook counts if it got the delivery or misses it. A disabled webhook need not get the delivery. */
  #summaries(): string[] {
    return [...new Set(this.#expected.map(nameOf))].map((event) => {
      const expected = this.#expected.filter((each) => nameOf(each) === event);
      const missing = expected.filter((each) => this.#isMissing(each));
      const arrived = expected.filter((each) => this.#hasArrived(each)).length;
      const where = missing.length === 0 ? '' : `, missing at ${missing.map(({ box }) => box.name).join(', ')}`;
      return `${event} arrived at ${arrived} of ${arrived + missing.length} webhooks${where}`;
    });
  }

  /** Returns the milliseconds from the event to the arrival. Returns undefined as long as the delivery has not arrived. */
  #delayOf({ box, on, topic, nth, since }: Expected): number | undefined {
    const arrival = this.#withLate(box, on, topic)[nth];
    return arrival && Math.max(0, arrival.time - since);
  }

  /** Waits for deliveries. The deadline starts again at each arrival, because a target may send one delivery after another. */
  async #wait(expected: readonly Expected[]): Promise<void> {
    const missing = () => expected.filter((each) => this.#isMissing(each));
    const wasStarving = this.isStarving;
    const isResponseDelayed = () => this.boxes.some(({ arrivals }) => arrivals.some(({ hasResponse }) => !hasResponse));
    for (;;) {
      this.#calibrate();
      const open = missing();
      const { deadline, lastArrival } = this.receiver;
      const since = Math.max(...open.map((each) => each.since));
      // A target that sends without end must not prolong the deadline without end.
      const quietSince = Math.min(Math.max(since, lastArrival), since + 20 * deadline);
      const quiet = performance.now() - quietSince;
      if (open.length === 0 || quiet >= deadline) break;
      const isQuiet = quiet >= deadline / 4;
      this.isStarving ||= isQuiet && isResponseDelayed();
      this.receiver.notify();
      await this.pause((isQuiet ? deadline : deadline / 4) - quiet, () => this.receiver.lastArrival > lastArrival);
    }
    if (missing().length === 0 && this.isStarving && !wasStarving) this.#trial.deliveries.push(sendsSerially);
  }

  /** Measures the first delivery. */
  #calibrate(): void {
    const [first] = this.boxes.flatMap((box) => this.of(box)).toSorted((one, other) => one.at - other.at);
    const event = this.#expected.find(({ on }) => on.code === first?.payload?.Code) ?? this.#expected[0];
    if (first && event) this.receiver.calibrate(nameOf(event), Math.max(0, first.time - event.since));
  }

  /** Waits until the condition is true, but no longer than `ms`. The time does not count toward a test's deadline. */
  pause(ms: number, until: () => boolean = () => false): Promise<boolean> {
    return this.#trial.run.client.rate.during(() => this.receiver.until(until, ms));
  }
}
