import type { ReferenceOptions } from '../options.ts';
import type { AccountRecords, ServerCard, ServerWebhook } from '../records.ts';

export interface ServerAccount extends AccountRecords {
  readonly service: ServerState;
}

export interface ServerState {
  readonly options: ReferenceOptions;
  readonly hooks: Hooks;
  readonly accounts: readonly [ServerAccount, ServerAccount];
  now: number;
  advanced: number;
  nextSerial(): number;
  update(card: ServerCard): void;
  addDelivery(webhook: ServerWebhook, send: () => Promise<void>): void;
}

/** A request before authentication. The query is part of the URL. */
export interface RawRequest {
  readonly method: string;
  readonly url: URL;
  readonly key: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** A request of an account. */
export interface ServerCall {
  readonly account: ServerAccount;
  /** The method and the route, such as `POST GiftCard/Create`. */
  readonly operation: string;
  readonly key: string | null;
  /** The last segment of the path. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}

export type ShortTopic = 'updated' | 'gifted' | 'voided' | 'expired';

export interface ServerEvent {
  readonly account: ServerAccount;
  readonly card: ServerCard;
  readonly topic: ShortTopic;
}

export type ServerPayload = Record<string, unknown>;

/** One delivery to one webhook, as it is sent. */
export interface ServerDelivery extends ServerEvent {
  readonly webhook: ServerWebhook;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Hooks of the server. A fault sets some of them. Each gets the lawful behavior as `next`. */
export interface Hooks {
  request?(received: RawRequest, next: (received: RawRequest) => Promise<Response>): Promise<Response>;
  /** Reports whether a request is beyond the rate limit. */
  isOverRate?(isOver: boolean, request: RawRequest): boolean;
  /** Carries out a request. Returns the JSON of the response, or a promise of this JSON. Throws a ServerRefusal. */
  operation?(call: ServerCall, next: (call: ServerCall) => unknown): unknown;
  /** Queues the deliveries of an event. */
  event?(event: ServerEvent, next: (event: ServerEvent) => void): void;
  payload?(payload: ServerPayload, event: ServerEvent): ServerPayload;
  /** Sends one delivery. Resolves with the status of the response, or with 0 if there was none. Every status but 2xx is a failure. */
  delivery?(delivery: ServerDelivery, next: (delivery: ServerDelivery) => Promise<number>): Promise<number>;
}
