import type { LedgerEntry } from '../safety/entries.ts';

export interface TargetRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  /** Path that is appended to the base URL, percent-encoded. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** A text that is sent unchanged in place of `body`. */
  text?: string;
  /** Default: application/json. Null sends no content type. */
  contentType?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** Default: the target's key. Null sends no key. */
  key?: string | null;
  /** True if the request deliberately violates the contract. */
  odd?: boolean;
  /** True if the request is meant to reach the rate limit. The client sends such a request without delay and does not retry 429. */
  burst?: boolean;
  /** True if the test can do without the request. The plan then does not count the effects of the request. */
  optional?: boolean;
  /** True for a cleanup request, which the policy always allows. */
  cleaning?: boolean;
  /** The name of the shared work that sends the request. */
  makes?: string;
  /** The ledger entry that the request creates or cleans up. */
  entry?: LedgerEntry;
}

export interface Exchange {
  at: string;
  ms: number;
  method: string;
  path: string;
  /** Scheme, host and port, if the request went to another server than the target. */
  elsewhere?: string;
  /** Headers with placeholders for secrets, such as «key». Exchanges of out-of-band requests have no headers and no bodies. */
  requestHeaders: Record<string, string>;
  requestBody?: string;
  /** 0 if the target did not respond, and for a delivery. */
  status: number;
  contentType: string;
  body: string;
}

export interface NumberedExchange extends Exchange {
  n: number;
}

/** Reports whether the exchange is a delivery that the suite received. */
export const isDelivery = ({ status }: Exchange): boolean => status === 0;

/** Returns the method and the path without a code or ID. */
export const endpointOf = ({ method, path }: Pick<Exchange, 'method' | 'path'>): string =>
  `${method} ${path.split(/[/?]/).slice(0, 4).join('/')}`;

export interface Received {
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  contentType: string;
  body: string;
}

export interface TargetResponse extends Received {
  /** The parsed body. Undefined if the body is not JSON. */
  json: unknown;
  exchange: Exchange;
}

/** A request with its response. Values may be pseudonyms, because the oracle only compares values. */
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
  /** Undefined if the body cannot be read, for example because it is too large. */
  readonly body: string | undefined;
  /** Undefined if no complete response arrived. The request may still have taken effect. */
  readonly response: (Pick<Received, 'status' | 'headers'> & { readonly body: string | undefined }) | undefined;
  /** True if the service cannot have received the request. */
  readonly isUnsent?: boolean;
}

/** Receives the exchanges of a client. Exchanges may overlap. */
export interface ExchangeObserver {
  /** The client calls `begin` when it sends a request, and passes the returned ticket to `observe`. */
  begin(): number;
  /** `shown` is the exchange with masked secrets. Without a response, `shown` is undefined. */
  observe(exchange: ObservedExchange, shown: Exchange | undefined): unknown;
}
