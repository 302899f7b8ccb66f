import type { Entry } from '../safety/entries.ts';

/** A request to the target. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  /** Path below the base URL, already percent-encoded, starting with /api/. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  text?: string;
  /** Default: application/json; null sends none. */
  contentType?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** Default: the target's key; null sends none. */
  key?: string | null;
  /** Deliberately outside the contract. */
  odd?: boolean;
  /** Meant to reach the rate limit: the run does not limit its rate, and 429 is not retried. */
  burst?: boolean;
  /** Cleans up; always allowed. */
  cleaning?: boolean;
  /** The name of the shared arrangement that it belongs to. */
  makes?: string;
  /** The ledger entry that it creates or cleans up. */
  entry?: Entry;
}

/** A request that is not one of the service, such as moving its clock. */
export interface Outside {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Exchange {
  at: string;
  ms: number;
  method: string;
  path: string;
  /** Where the request went, when not to the target: scheme, host and port. */
  elsewhere?: string;
  /** As sent, with placeholders such as «key» for secrets. Empty for requests outside the service, whose bodies are not kept either. */
  requestHeaders: Record<string, string>;
  requestBody?: string;
  status: number;
  contentType: string;
  body: string;
}

export interface Answer {
  status: number;
  contentType: string;
  /** By name in small letters. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The body as JSON, or undefined when it is not JSON. */
  json: unknown;
  exchange: Exchange;
}

/** One request with its answer, as on the wire or with pseudonyms: the oracle only compares values. For checks within the process only. */
export interface ObservedExchange {
  /** The number that `begin` returned; needed only if requests overlap. */
  readonly ticket?: number;
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until the answer was complete. */
  readonly ms: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names in lower case. The oracle reads `x-api-key`, and whether there is `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: not readable, such as too large. */
  readonly body: string | undefined;
  /** Undefined: no complete answer arrived, so that the request may have taken effect or not. */
  readonly answer:
    | {
        readonly status: number;
        /** Names in lower case. The oracle reads `content-type` and `date`. */
        readonly headers: Readonly<Record<string, string>>;
        readonly body: string | undefined;
      }
    | undefined;
  /** The service cannot have received the request. */
  readonly isUnsent?: boolean;
}

/** Gets the exchanges of a client, also those that overlap. */
export interface ExchangeObserver {
  /** Called when a request is sent; `observe` gets the returned ticket. */
  begin(): number;
  /** `shown` is the exchange with secrets masked; undefined without an answer. */
  observe(exchange: ObservedExchange, shown: Exchange | undefined): unknown;
}
