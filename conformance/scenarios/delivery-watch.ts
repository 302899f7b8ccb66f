import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from '../core/trial.ts';
import { whyNotGiven } from '../core/untestable.ts';
import { Untested } from '../core/verdict.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';
import type { Card } from './cards.ts';
import { isListedAt, listed } from './webhooks.ts';

export type Topic = 'giftcard/updated' | 'giftcard/gifted' | 'giftcard/reminder' | 'giftcard/voided' | 'giftcard/expired';

/** The receiver of deliveries. Untested `no-receiver` if there is none. */
export function receiverOf({ run }: Trial): Receiver {
  if (run.receiver) return run.receiver;
  const { reason, detail } = whyNotGiven('receiver');
  throw new Untested(reason, detail);
}

/** The list of webhooks at one time: which mailboxes' webhooks it shows, and how many deliveries each mailbox had received. */
export interface ListLook {
  /** The card that was voided before the look. */
  readonly voided: Card | undefined;
  readonly listed: ReadonlySet<Mailbox>;
  readonly received: ReadonlyMap<Mailbox, number>;
}

/** How long to wait, in milliseconds. Once a delivery is missing, the waits are short, so that a target that sends nothing does not delay the run. */
const waits = {
  delivery: 10_000,
  /** After one delivery was missing. */
  afterMiss: 1_000,
  /** After a delivery of the same card with another topic. */
  afterOther: 700,
  /** For all mailboxes but the first, in total. */
  otherBoxes: 3_000,
  /** For deliveries, in total. */
  total: 30_000,
  /** For deliveries that must not come. */
  silence: 250,
  disabling: 10_000,
  disablingAfterMiss: 3_000,
};

/** Waits for deliveries about some cards, and records the list of webhooks in between. */
export class DeliveryWatch {
  readonly looks: ListLook[] = [];
  readonly #trial: Trial;
  readonly #receiver: Receiver;
  /** Codes and IDs of the watched cards. Both, so that a delivery with one wrong value is found. */
  readonly #codes = new Set<unknown>();
  readonly #ids = new Set<unknown>();
  readonly #seen = new Map<Card, number>();
  readonly #expected: (() => boolean)[] = [];
  #hasMissed = false;
  #slowest = 0;
  #left = waits.total;
  #leftForOthers = waits.otherBoxes;
  #disabling = waits.disabling;

  constructor(trial: Trial, receiver: Receiver) {
    this.#trial = trial;
    this.#receiver = receiver;
  }

  /** Watches a card from before its creation, by its code. */
  watchCode(code: string): string {
    this.#codes.add(code);
    return code;
  }

  watchCard(on: Card): Card {
    this.#ids.add(String(on.id));
    return on;
  }

  isWatched({ payload }: Arrival): boolean {
    return payload !== undefined && (this.#codes.has(payload.Code) || this.#ids.has(payload.GiftCardId));
  }

  /** Deliveries to the mailbox about watched cards: all, or those of one card, or of one card and topic. */
  of(box: Mailbox, on?: Card, topic?: Topic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.isWatched(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /** Waits for a delivery to the first mailbox, and then for the same to the others, so that the next event does not overtake it. */
  async arrived(first: Mailbox, others: readonly Mailbox[], on: Card, topic: Topic): Promise<boolean> {
    const has = (box: Mailbox) => this.of(box, on, topic).length > 0;
    // A body that is not a JSON object is about no card, but something was delivered.
    const seen = () => this.of(first, on).length + first.arrivals.filter(({ payload }) => !payload).length;
    const before = this.#seen.get(on) ?? 0;
    const start = performance.now();
    await this.#wait(() => has(first) || seen() > before, this.#hasMissed ? this.#atLeast(waits.afterMiss) : waits.delivery);
    await this.#wait(() => has(first), seen() > before ? this.#atLeast(waits.afterOther) : 0);
    const came = await this.#receiver.comes(() => has(first), 0);
    this.#seen.set(on, seen());
    this.#trial.did.push(`${topic} of ${on.name} ${came ? 'arrived' : 'did not arrive'}`);
    this.#expected.push(() => (came ? [first, ...others] : [first]).every(has));
    const arrival = performance.now();
    if (came) {
      this.#slowest = Math.max(this.#slowest, arrival - start);
      await this.#wait(() => others.every(has), Math.max(0, this.#leftForOthers));
      this.#leftForOthers -= performance.now() - arrival;
    } else this.#hasMissed = true;
    if (performance.now() - start >= waits.afterOther) for (const box of others) await this.#receiver.comes(() => has(box), 0);
    return came;
  }

  /** Waits once for everything that has not arrived, so that late deliveries are not reported as missing. */
  async waitForLate(): Promise<void> {
    await this.#wait(() => this.#expected.every((isComplete) => isComplete()), this.#atLeast(waits.afterMiss));
  }

  /** Waits within the total. The time does not count toward a test's deadline. */
  async #wait(condition: () => boolean, ms: number): Promise<void> {
    const start = performance.now();
    const left = Math.max(0, this.#left);
    await this.#trial.run.client.patiently(() => this.#receiver.until(condition, Math.min(ms, left)));
    this.#left -= performance.now() - start;
  }

  /** Longer for a target whose deliveries took long before. */
  #atLeast(ms: number): number {
    return Math.min(waits.delivery, Math.max(ms, 4 * this.#slowest));
  }

  async look(boxes: readonly Mailbox[], voided?: Card): Promise<ListLook> {
    const json = await listed(this.#trial);
    const look = {
      voided,
      listed: new Set(boxes.filter(({ url }) => isListedAt(this.#trial, json, url))),
      received: new Map(boxes.map((box) => [box, this.of(box).length])),
    };
    this.looks.push(look);
    return look;
  }

  /** Looks until the list shows none of the `disabled`, because the specification does not say how soon a failure counts. */
  async lookUntilDisabled(disabled: readonly Mailbox[], boxes: readonly Mailbox[], voided?: Card): Promise<void> {
    const end = performance.now() + this.#disabling;
    const isAnswered = ({ arrivals }: Mailbox) => arrivals.every((arrival) => arrival.isAnswered);
    await this.#receiver.until(() => disabled.every(isAnswered), waits.afterOther);
    for (let ms = 50; performance.now() < end; ms = Math.min(ms * 2, 1_000)) {
      await this.#trial.run.client.patiently(() => pause(ms));
      const look = await this.look(boxes, voided);
      if (!disabled.some((box) => look.listed.has(box))) return;
    }
    this.#disabling = waits.disablingAfterMiss;
  }

  silence(): Promise<void> {
    return pause(waits.silence);
  }
}
