import type { Entry } from '../safety/entries.ts';

/** What is asked of a target. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  /** Path below the base URL, already percent-encoded, starting with /api/. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON when given. */
  body?: unknown;
  /** Sent as it is written, in place of `body`. */
  text?: string;
  /** In place of application/json; null names no content type. */
  contentType?: string | null;
  headers?: Readonly<Record<string, string>>;
  /** Another key than the target's; null sends no key. */
  key?: string | null;
  /** On purpose not as the contract has it, though the target may take it. */
  odd?: boolean;
  /** Meant to use the rate up: not held back by the run's own rate, and 429 is an answer like any other. */
  burst?: boolean;
  /** Takes away what a run has made, for which there is always leave. */
  cleaning?: boolean;
  /** The name of what is made once for several checks, where it is part of that. */
  makes?: string;
  /** What the ledger has of what it asks for. */
  entry?: Entry;
}

/** A request to something beside the service, such as the control of its clock. */
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
  /** As they were sent, but for secrets, which have names such as «key». Of a request beside the service there are none, and no bodies. */
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

/** One request to the service and its answer as they were on the wire, secrets included. For checks within the process only. */
export interface RawExchange {
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until the answer was complete. */
  readonly ms: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Undefined: no complete answer arrived. */
  readonly answer:
    | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | undefined;
}
