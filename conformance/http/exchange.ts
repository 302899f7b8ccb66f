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

/** No response came, because the connection was refused or broken, or because the time was over. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /** True if the target closed a connection that it had accepted. */
  readonly cut: boolean;
  /** The request, with status 0. */
  exchange?: Exchange;

  constructor(message: string, cut = false) {
    super(message);
    this.cut = cut;
  }
}

/** The request was not sent: the target refused the connection, or the test had ended. */
export class NeverSent extends TransportError {}

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

/** Reports whether the service does not have the path or method. */
export const isMissing = (status: number) => status === 404 || status === 405 || status === 501;

/** Reports whether the response came from a gateway, or from a service that is starting. */
export const isNotReady = (status: number) => status >= 502 && status <= 504;

/** Returns reads to which an endpoint responds differently if it exists: of a path that does not exist, and of the endpoint without parameters. */
export const readsOfMissing = (path: string): string[] => [`${path}None`, path];

/** Reports whether an endpoint is missing: it returns 404, as for an unknown path, also without parameters. Tests do not repeat requests to such an endpoint. */
export function isMissingThroughout(exchanges: readonly Exchange[], path: string): boolean {
  const isOwn = ({ method, requestHeaders }: Exchange) => method === 'GET' && requestHeaders['x-api-key'] === '«key»';
  const responses = exchanges.filter((each) => each.path.startsWith(path) && isOwn(each));
  const isProbed = readsOfMissing(path).every((read) => responses.some((each) => each.path === read));
  return isProbed && responses.every(({ status }) => status === 404) && new Set(responses.map(withoutPath)).size === 1;
}

/** Returns a response without the parts that change from request to request: the path, numbers, times and IDs. */
export const withoutPath = ({ status, body }: Pick<Exchange, 'status' | 'body'>): string =>
  `${status} ${body.replace(/\/api\/[^\s"'<>]*|[\da-f-]{8,}|\d+/gi, '')}`;
