import { clauseValues, type Readings } from '../../openapi/generated/clauses.ts';
import type { Account } from '../account.ts';
import { Bounded } from '../bounded.ts';
import type { Topic } from '../outcome.ts';
import type { CardRecord, WebhookRecord } from '../records.ts';
import { elapsed } from '../world.ts';
import { time } from '../written.ts';
import type { Cause } from './cause.ts';
import { payload } from './payload.ts';
import type { Attempt, Patience, Post } from './post.ts';
import { SIGNATURE_HEADER, sign } from './signature.ts';

const FAILURES = clauseValues['webhook.disabled-after-failures'];

/** One delivery to one webhook, from the event to the receiver's answer. */
export interface Delivery {
  readonly requestId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly topic: Topic;
  readonly giftCardId: string;
  body: string;
  readonly signed: boolean;
  readonly queuedAtUtc: string;
  readonly cause: Cause;
  /** Unknown: it was under way when a snapshot was taken that the account was put back from. */
  state: 'queued' | 'delivered' | 'failed' | 'dropped' | 'unknown';
  /** The receiver's status, or what went wrong. */
  result: Attempt | { readonly dropped: string } | { readonly unknown: string } | undefined;
  milliseconds: number | undefined;
  /** The webhook's budget after this delivery: "3 of 6 lifetime failures". */
  failures: string | undefined;
}

/** A delivery by its place among those that are kept, or, when it is not kept any more, as it is. */
export type DeliveryReference = number | Delivery;

/** What a delivery was formed from, kept until it is sent where a reading looks at it again then. */
interface Origin {
  readonly card: CardRecord;
  readonly webhook: WebhookRecord;
}

/** The deliveries of an account as a value. */
export interface DeliveriesState {
  /** Oldest first. */
  readonly kept: readonly Delivery[];
  readonly dropped: number;
  /** What waits in the lines, one webhook after the other. */
  readonly waiting: readonly DeliveryReference[];
  readonly origins: readonly (readonly [DeliveryReference, Origin])[];
}

/** The deliveries of an account: each webhook has its own line, in order (delivery.order), so a slow receiver holds up nobody else. */
export class Deliveries {
  readonly #account: Account;
  readonly #post: Post;
  readonly #told: (delivery: Delivery) => void;
  readonly #defect: (error: unknown) => void;
  readonly #deliveries = new Bounded<Delivery>(10_000, ({ url, body }) => url.length + body.length);
  /** By webhook, or by request where order does not matter: the one that is under way, and behind it those that wait. */
  readonly #lines = new Map<string, Delivery[]>();
  readonly #origins = new Map<Delivery, Origin>();
  readonly #going = new Set<Promise<void>>();
  /** Who waits for the next outcome. */
  readonly #waiters: (() => void)[] = [];
  #stopped = false;

  constructor(account: Account, post: Post, told: (delivery: Delivery) => void, defect: (error: unknown) => void) {
    this.#account = account;
    this.#post = post;
    this.#told = told;
    this.#defect = defect;
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
      };
      formed.push(delivery);
      if (looksBack(this.#account.readings)) this.#origins.set(delivery, { card, webhook });
    }
    for (const delivery of formed) this.#deliveries.add(delivery);
    return formed;
  }

  dispatch(delivery: Delivery): void {
    const name = this.#lineOf(delivery);
    const line = this.#lines.get(name);
    if (line) line.push(delivery);
    else this.#follow(this.#send(name, [delivery]));
  }

  /** delivery.order: in any order, each is a line of its own. */
  #lineOf({ requestId, webhookId }: Delivery): string {
    return this.#account.readings['delivery.order'] === 'any' ? requestId : webhookId;
  }

  /** Posts an empty object to a receiver; where nobody answers, its webhook is removed again (webhook.create.url-checked). */
  tryOut(webhook: WebhookRecord): void {
    this.#follow(this.#tryOut(webhook).catch(this.#defect));
  }

  async #tryOut({ id, url, token }: WebhookRecord): Promise<void> {
    if (url === null) return;
    const { readings } = this.#account;
    const bytes = Buffer.from('{}');
    const result = await this.#post(url, bytes, headersOf(bytes, token, readings), patienceOf(readings));
    if ('error' in result && !this.#stopped) this.#account.commit([{ table: 'webhooks', remove: id }]);
  }

  #follow(step: Promise<void>): void {
    const going = step.finally(() => this.#going.delete(going));
    this.#going.add(going);
  }

  /** Resolves once no delivery is under way or waiting. */
  async settled(): Promise<void> {
    while (this.#going.size > 0) await Promise.all(this.#going);
  }

  /**
   * Resolves once none of these is under way or waiting in a line any more, or the account is gone. Nobody waits for what others cause meanwhile,
   * nor for what waits for something else than its turn.
   */
  async answered(deliveries: readonly Delivery[]): Promise<void> {
    const isInLine = (delivery: Delivery) => this.#lines.get(this.#lineOf(delivery))?.includes(delivery);
    while (!this.#stopped && deliveries.some(isInLine)) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Everything that a snapshot keeps. What is under way now has an outcome that it cannot know; it is not sent again. */
  state(): DeliveriesState {
    const kept = this.#deliveries.all();
    const underWay = new Set(Array.from(this.#lines.values(), ([first]) => first));
    const waiting = Array.from(this.#lines.values(), ([, ...behind]) => behind).flat();
    const refer = this.references();
    return {
      kept: kept.map((delivery) =>
        underWay.has(delivery) ? { ...delivery, state: 'unknown', result: UNDER_WAY } : { ...delivery },
      ),
      dropped: this.dropped,
      waiting: waiting.map(refer),
      origins: Array.from(this.#origins, ([delivery, origin]) => [refer(delivery), origin]),
    };
  }

  /** How the state refers to a delivery. */
  references(): (delivery: Delivery) => DeliveryReference {
    const places = new Map(this.#deliveries.all().map((delivery, place) => [delivery, place]));
    return (delivery) => places.get(delivery) ?? { ...delivery };
  }

  /** Puts back what `state` gave, in an account that has no deliveries yet, and sends what waits; answers what finds a delivery that is referred to. */
  restore({ kept, dropped, waiting, origins }: DeliveriesState): (reference: DeliveryReference) => Delivery {
    const own = kept.map((delivery) => ({ ...delivery }));
    this.#deliveries.restore(own, dropped);
    const find = (reference: DeliveryReference) =>
      typeof reference === 'number' ? (own[reference] as Delivery) : { ...reference };
    for (const [reference, origin] of origins) this.#origins.set(find(reference), origin);
    for (const reference of waiting) this.dispatch(find(reference));
    return find;
  }

  /** What still waits in a line is not sent any more; what is under way comes to its end. */
  stop(): void {
    this.#stopped = true;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  async #send(name: string, line: Delivery[]): Promise<void> {
    this.#lines.set(name, line);
    for (let delivery = line[0]; delivery; delivery = line[0]) {
      await this.#attempt(delivery).catch(this.#defect);
      line.shift();
      this.#wake();
    }
    this.#lines.delete(name);
  }

  /** Once and never again (delivery.attempted-once). */
  async #attempt(delivery: Delivery): Promise<void> {
    const origin = this.#origins.get(delivery);
    this.#origins.delete(delivery);
    if (this.#stopped) {
      drop(delivery, 'the sandbox was reset or closed meanwhile');
      return;
    }
    const { readings, state } = this.#account;
    const registered = state.webhook(delivery.webhookId);
    // delivery.waiting-when-webhook-goes: a webhook that is gone is the one that it was.
    const webhook = readings['delivery.waiting-when-webhook-goes'] === 'sent' ? (registered ?? origin?.webhook) : registered;
    if (!webhook || (!webhook.enabled && readings['delivery.waiting-when-webhook-goes'] === 'dropped')) {
      drop(delivery, webhook ? 'the webhook was disabled meanwhile' : 'the webhook was deleted meanwhile');
      this.#told(delivery);
      return;
    }
    // delivery.values-as-of: of what its event brought about, the balance and the status stay, whatever happened since.
    const card = readings['delivery.values-as-of'] === 'sending' ? state.card(delivery.giftCardId) : undefined;
    if (card && origin) {
      const { balance, status } = origin.card;
      delivery.body = payload(delivery.topic, { ...card, balance, status }, delivery.requestId, this.#account);
    }
    const bytes = Buffer.from(delivery.body, 'utf8');
    const started = elapsed();
    const result = await this.#post(delivery.url, bytes, headersOf(bytes, webhook.token, readings), patienceOf(readings));
    const delivered = isDelivered(result, readings);
    delivery.milliseconds = Math.round(elapsed() - started);
    delivery.result = result;
    delivery.state = delivered ? 'delivered' : 'failed';
    delivery.failures = `${this.#count(delivery.webhookId, delivered)} of ${FAILURES} lifetime failures`;
    this.#told(delivery);
  }

  /** A success takes nothing back (webhook.failures-count-for-life); at the sixth failure it is over (webhook.disabled-after-failures). */
  #count(webhookId: string, delivered: boolean): number {
    const webhook = this.#account.state.webhook(webhookId);
    if (!webhook) return 0;
    if (delivered || !webhook.enabled) return webhook.failures;
    const failures = webhook.failures + 1;
    const counted: WebhookRecord = { ...webhook, failures, enabled: failures < FAILURES };
    this.#account.commit([{ table: 'webhooks', put: counted }]);
    return failures;
  }
}

const UNDER_WAY = { unknown: 'it was under way when the snapshot was taken' };

/** delivery.values-as-of, delivery.waiting-when-webhook-goes */
function looksBack(readings: Readings): boolean {
  return readings['delivery.values-as-of'] === 'sending' || readings['delivery.waiting-when-webhook-goes'] === 'sent';
}

/** delivery.signed-with-token, delivery.unsigned-without-token, delivery.token-never-sent */
function headersOf(bytes: Uint8Array, token: string | null, readings: Readings): Record<string, string> {
  const contentType =
    readings['delivery.content-type'] === 'with-charset' ? 'application/json; charset=utf-8' : 'application/json';
  if (token === null) return { 'content-type': contentType };
  const isLower = readings['delivery.signature-header-case'] === 'lower-case';
  return { 'content-type': contentType, [isLower ? SIGNATURE_HEADER.toLowerCase() : SIGNATURE_HEADER]: sign(bytes, token) };
}

/** delivery.time-out, delivery.redirects */
function patienceOf(readings: Readings): Patience {
  return { seconds: Number(readings['delivery.time-out']), followsRedirects: readings['delivery.redirects'] === 'followed' };
}

/** delivery.any-2xx-succeeds, delivery.failure */
function isDelivered(result: Attempt, readings: Readings): boolean {
  if ('error' in result) return false;
  if (readings['delivery.failure'] === 'no-answer-or-5xx') return result.status < 500;
  return result.status >= 200 && result.status < 300;
}

function drop(delivery: Delivery, why: string): void {
  delivery.state = 'dropped';
  delivery.result = { dropped: why };
}
