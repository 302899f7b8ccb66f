import { createHmac } from 'node:crypto';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { whyNotGiven } from '../core/untestable.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import type { Arrival, Mailbox, Receiver, Reply } from '../http/receiver.ts';
import { type Card, type CreateFields, card } from './cards.ts';
import { register, removeAll } from './webhooks.ts';

/** Waiting for deliveries, and their contents. */

export type Topic = 'giftcard/updated' | 'giftcard/gifted' | 'giftcard/reminder' | 'giftcard/voided' | 'giftcard/expired';
export type Payload = Readonly<Record<string, unknown>>;

export const signatureName = 'hmac-signature-sha256';

export const signatureOf = (body: string | Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('base64');

export const payloadsIn = (arrivals: readonly Arrival[]): Payload[] =>
  arrivals.flatMap(({ payload }) => (payload ? [payload] : []));

/** Runs an expectation about missing deliveries. If any delivery arrived after its deadline, a failure is Untested: the missing one may still arrive. */
export function unlessLate(t: Trial, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    if (t.run.receiver?.isLate && (error instanceof Violation || error instanceof Blocked))
      throw new Untested('control-failed', `a delivery arrived after its deadline, so others may still arrive: ${error.message}`);
    throw error;
  }
}

/** The receiver of deliveries. Untested `no-receiver` if there is none. */
function receiverOf({ run }: Trial): Receiver {
  if (run.receiver) return run.receiver;
  const { reason, detail } = whyNotGiven('receiver');
  throw new Untested(reason, detail);
}

interface WebhookTerms {
  readonly query?: string;
  readonly token?: string;
  /** The reply to a delivery about a watched card. `before` is how many of these the mailbox received before. */
  readonly reply?: (before: number) => Reply;
}

/** Milliseconds to wait for a delivery at the first webhook, and then at the others, some of which may be disabled. */
const waits = { first: 10_000, others: 4_000 };
/** Once something is missing, waits are short, so that a target that sends nothing does not delay the run. */
const waitsAfterMiss = { first: 1_000, others: 500 };

/** Webhooks of a scenario, and the deliveries to them about its cards. */
export class DeliveryWatch {
  /** The mailboxes that have webhooks. */
  readonly boxes: Mailbox[] = [];
  readonly receiver: Receiver;
  readonly #trial: Trial;
  readonly #key: string | undefined;
  /** Codes and IDs of the watched cards. Both, so that a delivery with one wrong value is found. */
  readonly #watched = new Set<unknown>();
  readonly #expected: (() => boolean)[] = [];
  readonly #waits = { ...waits };
  #slowest = 0;

  constructor(trial: Trial, key?: string) {
    this.receiver = receiverOf(trial);
    this.#trial = trial;
    this.#key = key;
  }

  /** Registers a webhook at a new mailbox. It replies with 200 to deliveries about other cards. */
  async open(name: string, { query, token, reply = () => ({ status: 200 }) }: WebhookTerms = {}): Promise<Mailbox> {
    const box = await this.receiver.mailbox(name, query, (arrival, to) =>
      this.#isWatched(arrival) ? reply(this.of(to).length) : { status: 200 },
    );
    await this.register(box, token);
    this.boxes.push(box);
    return box;
  }

  async register({ url }: Mailbox, token?: string): Promise<void> {
    const fields = token === undefined ? {} : { requestHeaderVerificationToken: token };
    const { answer } = await register(this.#trial, url, fields, this.#key);
    const { protocol, origin } = new URL(url);
    if (answer.status >= 400 && answer.status < 500 && protocol === 'http:')
      throw new Untested('no-receiver', `the target accepts no webhook at ${origin}: it answered ${answer.status}`);
    mustSucceed(answer, 'registering a webhook');
  }

  /** Deletes the webhooks. */
  close(): Promise<void> {
    const urls = this.boxes.map(({ url }) => url);
    return removeAll(this.#trial, urls, this.#key);
  }

  /** Creates a card, and watches it from before its creation. */
  async createCard(fields: CreateFields): Promise<Card> {
    const code = this.#trial.run.ledger.fresh();
    this.#watched.add(code);
    const on = await card(this.#trial, { ...fields, code }, this.#key);
    this.watch(on);
    return on;
  }

  watch({ code, id }: Pick<Card, 'code' | 'id'>): void {
    this.#watched.add(code).add(String(id));
  }

  #isWatched({ payload }: Arrival): boolean {
    return payload !== undefined && (this.#watched.has(payload.Code) || this.#watched.has(payload.GiftCardId));
  }

  /** Deliveries to the mailbox about watched cards: all, or those of one card, or of one card and topic. */
  of(box: Mailbox, on?: Pick<Card, 'code' | 'id'>, topic?: Topic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.#isWatched(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /** Waits until each mailbox has the delivery, so that the next event does not overtake it. */
  async arrival(on: Pick<Card, 'name' | 'code' | 'id'>, topic: Topic, boxes: readonly Mailbox[] = this.boxes): Promise<void> {
    const has = (box: Mailbox) => this.of(box, on, topic).length > 0;
    const arrived = () => boxes.filter(has).length;
    const isComplete = () => arrived() === boxes.length;
    const start = performance.now();
    if (await this.#until(() => boxes.slice(0, 1).every(has), this.#waits.first)) {
      let before: number;
      do {
        before = arrived();
        await this.#until(isComplete, this.#waits.others);
      } while (!isComplete() && arrived() > before);
      if (isComplete()) this.#slowest = Math.max(this.#slowest, performance.now() - start);
      else this.#waits.others = waitsAfterMiss.others;
    } else this.#waits.first = this.#longerIfSlow();
    // Remembers each missing delivery, so that its late arrival is noticed.
    for (const box of boxes) await this.receiver.comes(() => has(box), 0);
    this.#expected.push(isComplete);
    const missing = boxes.filter((box) => !has(box)).map(({ name }) => name);
    const where = missing.length === 0 ? '' : `, missing at ${missing.join(', ')}`;
    const count = `${boxes.length - missing.length} of ${boxes.length} webhooks`;
    this.#trial.deliveries.push(`${topic} of ${on.name} arrived at ${count}${where}`);
  }

  /** Waits once more for everything that is missing, so that late deliveries are noticed. */
  async lateArrivals(): Promise<void> {
    await this.#until(() => this.#expected.every((isComplete) => isComplete()), this.#longerIfSlow());
  }

  /** After a miss, a target whose deliveries took long before gets more time. */
  #longerIfSlow(): number {
    return Math.min(waits.first, Math.max(waitsAfterMiss.first, 4 * this.#slowest));
  }

  /** Waits for deliveries that may come, or that must not come. */
  async pause(ms: number, until: () => boolean = () => false): Promise<boolean> {
    return this.#until(until, ms);
  }

  /** The time does not count toward a test's deadline. */
  #until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#trial.run.client.rate.during(() => this.receiver.until(condition, ms));
  }
}
