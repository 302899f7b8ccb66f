/** A request to either door and its answer, as plain records; only http.ts and running/fetch.ts know those of the library. */
export interface ServiceRequest {
  readonly method: string;
  /** Path with query, as received. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** 'too large' is one that was not even read to its end. */
  readonly body: Buffer | 'too large' | undefined;
  /** Of the client's machine, where it came over a socket. */
  readonly address?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Of a body that is a string, its length in UTF-8, where that is known already. */
  readonly bytes?: number;
}

/** What a caller sees of a defect of ours. */
export const DEFECT: Answer = {
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The sandbox has a defect; its log says more.',
};
