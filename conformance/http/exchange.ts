import type { Entry } from '../safety/entries.ts';

export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  /** Path below the base URL, percent-encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  text?: string;
  /** Default: application/json. Null sends no content type. */
  contentType?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** Default: the target's key. Null sends no key. */
  key?: string | null;
  /** Deliberately outside the contract. */
  odd?: boolean;
  /** Meant to reach the rate limit. The run does not limit its rate, and 429 is not retried. */
  burst?: boolean;
  /** Cleans up, and is always allowed. */
  cleaning?: boolean;
  /** The name of the shared work that sends the request. */
  makes?: string;
  /** The ledger entry that the request creates or cleans up. */
  entry?: Entry;
}

export interface Exchange {
  at: string;
  ms: number;
  method: string;
  path: string;
  /** Scheme, host and port of another server than the target. */
  elsewhere?: string;
  /** Secrets have placeholders such as «key». Requests outside the service keep no headers and no bodies. */
  requestHeaders: Record<string, string>;
  requestBody?: string;
  status: number;
  contentType: string;
  body: string;
}

export interface Received {
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: string;
}

export interface Answer extends Received {
  /** The body as JSON; undefined if the body is not JSON. */
  json: unknown;
  exchange: Exchange;
}

/** A request with its answer. Values may be pseudonyms, because the oracle only compares values. */
export interface ObservedExchange {
  /** The number that `begin` returned. It is needed only if requests overlap. */
  readonly ticket?: number;
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  readonly method: string;
  readonly target: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the body is not readable, such as too large. */
  readonly body: string | undefined;
  /** Undefined if no complete answer arrived. The request may have taken effect or not. */
  readonly answer: (Pick<Received, 'status' | 'headers'> & { readonly body: string | undefined }) | undefined;
  /** True if the service cannot have received the request. */
  readonly isUnsent?: boolean;
}

/** Receives the exchanges of a client. Exchanges may overlap. */
export interface ExchangeObserver {
  /** Called when a request is sent. `observe` gets the returned ticket. */
  begin(): number;
  /** `shown` is the exchange with secrets masked. It is undefined without an answer. */
  observe(exchange: ObservedExchange, shown: Exchange | undefined): unknown;
}
