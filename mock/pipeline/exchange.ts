/** A request to the service or the control API. Only server/http.ts and server/fetch.ts know the request types of their libraries. */
export interface ServiceRequest {
  readonly method: string;
  /** Path with query, as received. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** 'too large' if the mock stopped reading, because the body is too large. */
  readonly body: Buffer | 'too large' | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** The length of a string body in UTF-8, if the length is already known. */
  readonly bytes?: number;
  /** The parts of a large body, instead of `body`. A Readable may never end; a receiver that needs an end gets `body`. */
  readonly parts?: AsyncIterable<Uint8Array>;
}

/** The longest body of a request, in bytes (http.body-size-limit). */
export const LARGEST_BODY = 1_048_576;

export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** The response while changes cannot be stored. The request has changed nothing, or its change is undone. */
export const UNAVAILABLE: ServiceResponse = { status: 503, headers: TEXT, body: 'The service is unavailable; try again later.' };

/** The response when the mock has a defect. */
export const DEFECT: ServiceResponse = { status: 500, headers: TEXT, body: 'The sandbox has a defect; the log has details.' };
