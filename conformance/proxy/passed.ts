import { pairs } from './headers.ts';

/** One exchange as it passed, byte for byte; what came of it stands in `answer`, or in `lost` why there is none. */
export interface Passed {
  /** Place in the order of all that began and ended: a request that ended before another began was surely answered before it was sent. */
  readonly began: number;
  readonly ended: number;
  /** When it began, in milliseconds since 1970, and how long it took. */
  readonly at: number;
  readonly ms: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Bytes;
  readonly answer: Answered | undefined;
  readonly lost: Lost | undefined;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Bytes;
}

/** By name in small letters, of one that came several times the last. */
export type Headers = ReadonlyMap<string, string>;

/** The body, or that it is too large to be kept for judging, but passed all the same, or that the answer came before all of it. */
export type Bytes = Buffer | 'too large' | 'cut';

/** Why the client got no whole answer of the target; `unsent` where the target cannot have seen the request. */
export interface Lost {
  readonly why: (typeof lostWhys)[number];
  readonly unsent: boolean;
  /** Of the connection, such as ECONNREFUSED; of another proxy, its mark. */
  readonly code: string;
}

export const lostWhys = [
  'unreachable',
  'broken off by the client',
  'broken off by the target',
  'broken off by the proxy',
  'answered by another proxy',
] as const;

/** Headers as node lists them, a name and a value in turn. */
export function headersOf(raw: readonly string[]): Headers {
  return new Map(pairs(raw).map(([name, value]) => [name.toLowerCase(), value]));
}
