import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from '../core/trial.ts';
import { whyNotGiven } from '../core/untestable.ts';
import { Untested } from '../core/verdict.ts';
import type { Arrival, Mailbox, Receiver } from '../http/receiver.ts';
import { type Card, type CreateFields, card } from './cards.ts';
import { getWebhookList, isListedAt } from './webhooks.ts';

export type Topic = 'giftcard/updated' | 'giftcard/gifted' | 'giftcard/reminder' | 'giftcard/voided' | 'giftcard/expired';

/** The receiver of deliveries. Untested `no-receiver` if there is none. */
export function receiverOf({ run }: Trial): Receiver {
  if (run.receiver) return run.receiver;
  const { reason, detail } = whyNotGiven('receiver');
  throw new Untested(reason, detail);
}

/** Records in the result at which webhooks an expected delivery arrived. */
export function recordDelivery(
  t: Trial,
  on: Pick<Card, 'name'>,
  topic: Topic,
  boxes: readonly Mailbox[],
  has: (box: Mailbox) => boolean,
): void {
  const missing = boxes.filter((box) => !has(box)).map(({ name }) => name);
  const where = missing.length === 0 ? '' : `, missing at ${missing.join(', ')}`;
  t.deliveries.push(`${topic} of ${on.name} arrived at ${boxes.length - missing.length} of ${boxes.length} webhooks${where}`);
}

/** The list of webhooks at one time: which mailboxes' webhooks it shows, and how many deliveries each mailbox had received. */
export interface ListLook {
  /** The card that was voided before the look. */
  readonly voided: Card | undefined;
  readonly listed: ReadonlySet<Mailbox>;
  readonly received: ReadonlyMap<Mailbox, number>;
}

/** In milliseconds: for the first mailbox, for the others after it, and for a webhook to be disabled. */
const waits = { first: 10_000, others: 4_000, disabling: 10_000 };
/** Once something is missing, waits are short, so that a target that sends nothing does not delay the run. */
const waitsAfterMiss = { first: 1_000, others: 500, disabling: 3_000 };

/** Waits for deliveries about some cards, and records the list of webhooks in between. */
export class DeliveryWatch {
  readonly looks: ListLook[] = [];
  readonly #trial: Trial;
  readonly #receiver: Receiver;
  /** Codes and IDs of the watched cards. Both, so that a delivery with one wrong value is found. */
  readonly #watched = new Set<unknown>();
  readonly #expected: (() => boolean)[] = [];
  readonly #waits = { ...waits };
  #slowest = 0;

  constructor(trial: Trial) {
    this.#trial = trial;
    this.#receiver = receiverOf(trial);
  }

  /** Creates a card, and watches it from before its creation. */
  async createCard(fields: CreateFields, key?: string): Promise<Card> {
    const code = this.#trial.run.ledger.fresh();
    this.#watched.add(code);
    const on = await card(this.#trial, { ...fields, code }, key);
    this.#watched.add(String(on.id));
    return on;
  }

  isWatched({ payload }: Arrival): boolean {
    return payload !== undefined && (this.#watched.has(payload.Code) || this.#watched.has(payload.GiftCardId));
  }

  /** Deliveries to the mailbox about watched cards: all, or those of one card, or of one card and topic. */
  of(box: Mailbox, on?: Card, topic?: Topic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.isWatched(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /** Waits until each mailbox has the delivery, so that the next event does not overtake it. */
  async arrival(boxes: readonly Mailbox[], on: Card, topic: Topic): Promise<void> {
    const has = (box: Mailbox) => this.of(box, on, topic).length > 0;
    const isFirst = () => boxes.slice(0, 1).every(has);
    const isComplete = () => boxes.every(has);
    const start = performance.now();
    const came = await this.#until(isFirst, this.#waits.first);
    if (!came) this.#waits.first = this.#longerIfSlow();
    else if (await this.#until(isComplete, this.#waits.others))
      this.#slowest = Math.max(this.#slowest, performance.now() - start);
    else this.#waits.others = waitsAfterMiss.others;
    // Remembers each missing delivery, so that its late arrival is noticed.
    for (const box of boxes) await this.#receiver.comes(() => has(box), 0);
    this.#trial.did.push(`${topic} of ${on.name} arrived at ${boxes.filter(has).length} of ${boxes.length} webhooks`);
    this.#expected.push(isComplete);
  }

  /** Waits once for everything that has not arrived, so that late deliveries are not reported as missing. */
  async lateArrivals(): Promise<void> {
    await this.#until(() => this.#expected.every((isComplete) => isComplete()), this.#longerIfSlow());
  }

  /** After a miss, a target whose deliveries took long before gets more time. */
  #longerIfSlow(): number {
    return Math.min(waits.first, Math.max(waitsAfterMiss.first, 4 * this.#slowest));
  }

  /** The time does not count toward a test's deadline. */
  #until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#trial.run.client.rate.during(() => this.#receiver.until(condition, ms));
  }

  async look(boxes: readonly Mailbox[], voided?: Card): Promise<ListLook> {
    const json = await getWebhookList(this.#trial);
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
    const end = performance.now() + this.#waits.disabling;
    const isAnswered = ({ arrivals }: Mailbox) => arrivals.every((arrival) => arrival.isAnswered);
    await this.#receiver.until(() => disabled.every(isAnswered), waitsAfterMiss.first);
    for (let ms = 50; performance.now() < end; ms = Math.min(ms * 2, 1_000)) {
      await this.#trial.run.client.rate.during(() => pause(ms));
      const look = await this.look(boxes, voided);
      if (!disabled.some((box) => look.listed.has(box))) return;
    }
    this.#waits.disabling = waitsAfterMiss.disabling;
  }
}
