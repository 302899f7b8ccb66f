import type { ReferenceOptions } from '../options.ts';
import type { AccountRecords, Card, Webhook } from '../records.ts';

export interface Account extends AccountRecords {
  readonly service: Service;
}

export interface Service {
  readonly options: ReferenceOptions;
  readonly hooks: Hooks;
  readonly accounts: readonly [Account, Account];
  now: number;
  advanced: number;
  nextSerial(): number;
  update(card: Card): void;
  addDelivery(webhook: Webhook, send: () => Promise<void>): void;
}

/** A request before authentication. The query is part of the URL. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly key: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** A request of an account. */
export interface Call {
  readonly account: Account;
  /** The method and the route, such as `POST GiftCard/Create`. */
  readonly operation: string;
  readonly key: string | null;
  /** The last segment of the path. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export type Topic = 'updated' | 'gifted' | 'voided' | 'expired';

export interface Occasion {
  readonly account: Account;
  readonly card: Card;
  readonly topic: Topic;
}

export type Payload = Record<string, unknown>;

/** One delivery to one webhook, as it is sent. */
export interface Delivery extends Occasion {
  readonly webhook: Webhook;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Seams of the server. A fault replaces some of them. Each gets the lawful behavior as `next`. */
export interface Hooks {
  request?(received: Received, next: (received: Received) => Promise<Response>): Promise<Response>;
  /** Reports whether a request is beyond the rate limit. */
  isOverRate?(isOver: boolean, request: Received): boolean;
  /** Carries out a request. Returns the JSON of the response, or a promise of this JSON. Throws a Refusal. */
  operation?(call: Call, next: (call: Call) => unknown): unknown;
  /** Queues the deliveries of an event. */
  event?(occasion: Occasion, next: (occasion: Occasion) => void): void;
  payload?(payload: Payload, occasion: Occasion): Payload;
  /** Sends one delivery. Resolves with the status of the response, or with 0 if there was none. Every status but 2xx is a failure. */
  delivery?(delivery: Delivery, next: (delivery: Delivery) => Promise<number>): Promise<number>;
}
