import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from '../core/trial.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';
import type { Card } from './cards.ts';
import { isListedAt, listed } from './webhooks.ts';

export type Topic = 'giftcard/updated' | 'giftcard/gifted' | 'giftcard/reminder' | 'giftcard/voided' | 'giftcard/expired';

/** What was to be seen once something had happened: which mailboxes' webhooks were listed, and how many deliveries about our cards each had got. */
export interface Look {
  /** The card that had just been voided, if one had. */
  readonly voided: Card | undefined;
  readonly listed: ReadonlySet<Mailbox>;
  readonly came: ReadonlyMap<Mailbox, number>;
}

/**
 * Milliseconds: for what must come, the same once something has not come, or when something else has; for what comes beside it, in all; for what
 * is missing in the end; for what must not come; for a disabling, and for a further one once that has not come.
 */
const patience = {
  arrival: 10_000,
  afterMiss: 1_000,
  afterOther: 700,
  beside: 3_000,
  inTheEnd: 1_000,
  silence: 250,
  disabling: 10_000,
  disabledLater: 3_000,
};
/** Milliseconds for all that must come, for a target whose deliveries queue shall not keep the run either. */
const inAll = 30_000;
/** A target that has taken its time before may take so many times as long again. */
const SLOWER = 4;

/** Causes deliveries about some cards and looks at what arrives of them. */
export class Watch {
  readonly looks: Look[] = [];
  readonly #trial: Trial;
  readonly #receiver: Receiver;
  /** Codes of the cards whose deliveries count. */
  readonly #codes = new Set<unknown>();
  readonly #ids = new Set<unknown>();
  /** How many topics had come of a card. */
  readonly #topics = new Map<Card, number>();
  #hasMissed = false;
  #disabling = patience.disabling;
  #beside = patience.beside;
  #left = inAll;
  /** How long the slowest delivery took, in milliseconds. */
  #slowest = 0;
  readonly #awaited: (() => boolean)[] = [];

  constructor(trial: Trial, receiver: Receiver) {
    this.#trial = trial;
    this.#receiver = receiver;
  }

  /** Says before it is created that a card's deliveries count. */
  expect(code: string): string {
    this.#codes.add(code);
    return code;
  }

  /** Says by which ID as well, so that a wrong code is seen to be one. */
  created(on: Card): Card {
    this.#ids.add(String(on.id));
    return on;
  }

  isOurs({ payload }: Arrival): boolean {
    return payload !== undefined && (this.#codes.has(payload.Code) || this.#ids.has(payload.GiftCardId));
  }

  /** Deliveries about our cards: all that came to the mailbox, or those of a card, or those of a topic. */
  of(box: Mailbox, on?: Card, topic?: Topic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.isOurs(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /**
   * Waits until a delivery has arrived where it is surely sent to, and then a moment for the others, so that what comes next does not overtake it.
   * The wait is shorter once something has not come, or something else has: a target that sends nothing shall not keep the run.
   */
  async arrived(first: Mailbox, others: readonly Mailbox[], on: Card, topic: Topic): Promise<boolean> {
    const has = (box: Mailbox) => this.of(box, on, topic).length > 0;
    const boxes = [first, ...others];
    // What is no JSON object is about nobody, and yet something came.
    const topics = () =>
      new Set(boxes.flatMap((box) => this.of(box, on).map(({ payload }) => payload?.WebhookTopic))).size +
      first.arrivals.filter(({ payload }) => !payload).length;
    const known = this.#topics.get(on) ?? 0;
    const asked = performance.now();
    const most = this.#hasMissed ? this.#longer(patience.afterMiss) : patience.arrival;
    await this.#until(() => has(first) || topics() > known, most);
    await this.#until(() => has(first), topics() > known ? this.#longer(patience.afterOther) : 0);
    const came = await this.#receiver.comes(() => has(first), 0);
    this.#topics.set(on, topics());
    this.#trial.did.push(`${topic} of ${on.name} ${came ? 'arrived' : 'did not arrive'}`);
    const start = performance.now();
    if (came) this.#slowest = Math.max(this.#slowest, start - asked);
    else this.#hasMissed = true;
    if (came) await this.#until(() => others.every(has), Math.max(0, this.#beside));
    // What was not waited for is not given up.
    const waited = performance.now() - asked >= patience.afterOther;
    for (const box of waited ? others : []) await this.#receiver.comes(() => has(box), 0);
    this.#beside -= performance.now() - start;
    this.#awaited.push(() => (came ? boxes : [first]).every(has));
    return came;
  }

  /** As long as there is patience left, of which no clause's deadline counts any. */
  async #until(condition: () => boolean, ms: number): Promise<void> {
    const asked = performance.now();
    await this.#trial.run.client.patiently(() => this.#receiver.until(condition, Math.min(ms, Math.max(0, this.#left))));
    this.#left -= performance.now() - asked;
  }

  #longer(ms: number): number {
    return Math.min(patience.arrival, Math.max(ms, SLOWER * this.#slowest));
  }

  /** Waits for all that has not come yet, once and not for long, so that what is late is not taken for missing. */
  async latecomers(): Promise<void> {
    await this.#until(() => this.#awaited.every((come) => come()), this.#longer(patience.inTheEnd));
  }

  async look(boxes: readonly Mailbox[], voided?: Card): Promise<Look> {
    const json = await listed(this.#trial);
    const look = {
      voided,
      listed: new Set(boxes.filter(({ url }) => isListedAt(this.#trial, json, url))),
      came: new Map(boxes.map((box) => [box, this.of(box).length])),
    };
    this.looks.push(look);
    return look;
  }

  /** Looks until the mailboxes' webhooks are listed no more, or for ten seconds, and for three once they were not enough: how soon a failure counts is not stated. */
  async lookForDisabling(gone: readonly Mailbox[], boxes: readonly Mailbox[], voided?: Card): Promise<void> {
    const end = performance.now() + this.#disabling;
    const isAnswered = ({ arrivals }: Mailbox) => arrivals.every((arrival) => arrival.isAnswered);
    await this.#receiver.until(() => gone.every(isAnswered), patience.afterOther);
    for (let ms = 50; performance.now() < end; ms = Math.min(ms * 2, 1_000)) {
      await this.#trial.run.client.patiently(() => pause(ms));
      const { listed: still } = await this.look(boxes, voided);
      if (!gone.some((box) => still.has(box))) return;
    }
    this.#disabling = patience.disabledLater;
  }

  /** What must not come has a moment to come. */
  silence(): Promise<void> {
    return pause(patience.silence);
  }
}
