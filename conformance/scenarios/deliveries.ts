import { createHmac } from 'node:crypto';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { whyNotGiven } from '../core/untestable.ts';
import { Blocked, Untested, Violation } from '../core/verdict.ts';
import type { Arrival, Mailbox, Receiver, Reply } from '../http/receiver.ts';
import { type Card, type CreateFields, card } from './cards.ts';
import { register, removeAll } from './webhooks.ts';

export type Topic = 'giftcard/updated' | 'giftcard/gifted' | 'giftcard/reminder' | 'giftcard/voided' | 'giftcard/expired';
export type Payload = Readonly<Record<string, unknown>>;

export const signatureName = 'hmac-signature-sha256';

export const signatureOf = (body: string | Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('base64');

export const payloadsIn = (arrivals: readonly Arrival[]): Payload[] =>
  arrivals.flatMap(({ payload }) => (payload ? [payload] : []));

/** Runs an expectation about deliveries. If a delivery arrived after its deadline, a failure becomes Untested, because missing deliveries may still arrive. */
export function unlessLate(t: Trial, expectation: () => void): void {
  try {
    expectation();
  } catch (error) {
    if (t.run.receiver?.isLate && (error instanceof Violation || error instanceof Blocked))
      throw new Untested(
        'control-failed',
        `a delivery arrived after its deadline, so missing deliveries may still arrive: ${error.message}`,
      );
    throw error;
  }
}

interface WebhookTerms {
  readonly query?: string;
  readonly token?: string;
  /** The reply to a delivery about a watched card. `before` counts the earlier deliveries to the mailbox. */
  readonly reply?: (before: number) => Reply;
}

/** Milliseconds to wait for a delivery: first until one webhook has the delivery, then for the other webhooks. The other webhooks may be disabled, so the second wait is shorter. */
const waits = { first: 10_000, others: 4_000 };
/** Milliseconds to wait after a delivery was missing. The values are small, so that a target without deliveries does not delay the run. */
const waitsAfterMiss = { first: 1_000, others: 500 };

/** Registers webhooks and collects the deliveries about watched cards. */
export class DeliveryWatch {
  readonly boxes: Mailbox[] = [];
  readonly receiver: Receiver;
  readonly #trial: Trial;
  readonly #key: string | undefined;
  /** Codes and IDs of the watched cards. One match is enough, because a delivery may have a wrong code or ID. */
  readonly #watched = new Set<unknown>();
  readonly #expected: (() => boolean)[] = [];
  readonly #waits = { ...waits };
  #slowest = 0;

  constructor(trial: Trial, key?: string) {
    const { receiver } = trial.run;
    const missing = whyNotGiven('receiver');
    if (!receiver) throw new Untested(missing.reason, missing.detail);
    this.receiver = receiver;
    this.#trial = trial;
    this.#key = key;
  }

  /** Registers a webhook at a new mailbox. The reply to deliveries about other cards is 200. */
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
      throw new Untested(
        'no-receiver',
        `a webhook at ${origin} was rejected with ${answer.status}; give the receiver an https address (--webhook-url)`,
      );
    mustSucceed(answer, 'registering a webhook');
  }

  close(): Promise<void> {
    const urls = this.boxes.map(({ url }) => url);
    return removeAll(this.#trial, urls, this.#key);
  }

  /** Creates a card that is watched from the start. */
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

  /** Returns deliveries to the mailbox about all watched cards, about one card, or about one card and topic. */
  of(box: Mailbox, on?: Pick<Card, 'code' | 'id'>, topic?: Topic): readonly Arrival[] {
    return box.arrivals.filter((arrival) => {
      const { Code, GiftCardId, WebhookTopic } = arrival.payload ?? {};
      const isOfCard = !on || Code === on.code || GiftCardId === String(on.id);
      return this.#isWatched(arrival) && isOfCard && (!topic || WebhookTopic === topic);
    });
  }

  /** Waits until each mailbox has the delivery. Without this wait, the delivery of the next event could arrive first. */
  async arrival(on: Pick<Card, 'name' | 'code' | 'id'>, topic: Topic, boxes: readonly Mailbox[] = this.boxes): Promise<void> {
    const has = (box: Mailbox) => this.of(box, on, topic).length > 0;
    const arrived = () => boxes.filter(has).length;
    const isComplete = () => arrived() === boxes.length;
    const start = performance.now();
    if (await this.pause(this.#waits.first, () => boxes.slice(0, 1).every(has))) {
      let before: number;
      do {
        before = arrived();
        await this.pause(this.#waits.others, isComplete);
      } while (!isComplete() && arrived() > before);
      if (isComplete()) this.#slowest = Math.max(this.#slowest, performance.now() - start);
      else this.#waits.others = waitsAfterMiss.others;
    } else this.#waits.first = this.#waitAfterMiss;
    // The receiver records each missing delivery, and detects its late arrival.
    for (const box of boxes) this.receiver.remember(() => has(box));
    this.#expected.push(isComplete);
    const missing = boxes.filter((box) => !has(box)).map(({ name }) => name);
    const where = missing.length === 0 ? '' : `, missing at ${missing.join(', ')}`;
    const count = `${boxes.length - missing.length} of ${boxes.length} webhooks`;
    this.#trial.deliveries.push(`${topic} of ${on.name} arrived at ${count}${where}`);
  }

  /** Waits once more for all missing deliveries, so that late arrivals are noticed. */
  async lateArrivals(): Promise<void> {
    await this.pause(this.#waitAfterMiss, () => this.#expected.every((isComplete) => isComplete()));
  }

  /** Milliseconds to wait after a delivery was missing. If earlier deliveries were slow, the wait is longer. */
  get #waitAfterMiss(): number {
    return Math.min(waits.first, Math.max(waitsAfterMiss.first, 4 * this.#slowest));
  }

  /** Waits until the condition is true, but no longer than `ms`. The time does not count toward a test's deadline. */
  pause(ms: number, until: () => boolean = () => false): Promise<boolean> {
    return this.#trial.run.client.rate.during(() => this.receiver.until(until, ms));
  }
}
