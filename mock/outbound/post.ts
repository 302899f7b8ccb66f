import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { questions } from '../../openapi/effective/behaviors.ts';
import { clauseValues } from '../../openapi/generated/clauses.ts';
import { mayBePlain } from '../server/loopback.ts';

/** What a receiver answered: its status, those of its headers that say something, and the beginning of its body. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of one attempt: the receiver's answer, or why there was none. */
export type Posted = ReceiverAnswer | { readonly error: string };

/** How long a receiver may take to answer, and whether it may send the delivery elsewhere. */
export interface Patience {
  readonly seconds: number;
  readonly followsRedirects: boolean;
}

/** Posts a body to a receiver once and tells what came of it (delivery.is-post-of-one-object); it never throws. */
export type Post = (
  url: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  patience?: Patience,
) => Promise<Posted>;

interface Undici {
  readonly request: typeof import('undici').request;
  readonly agent: Agent;
  readonly following: Dispatcher;
}

const PATIENCE: Patience = { seconds: clauseValues['delivery.time-out'], followsRedirects: false };
/** In milliseconds; no reading has more. */
const LONGEST_CONNECT = 1000 * Math.max(...Object.keys(questions['delivery.time-out']?.behaviors ?? {}).map(Number));
const MOST_REDIRECTS = 5;
/** Of a receiver's body, in bytes, and how long it is waited for, in milliseconds. */
const KEPT = 2048;
const DAWDLING = 100;

const TELLING_HEADERS = [
  'content-type',
  'content-length',
  'location',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-request-id',
];

/** Real posts over HTTP(S), with undici, which is loaded at the first one. */
export class HttpPoster {
  #undici: Promise<Undici> | undefined;
  readonly #plainHttpHosts: readonly string[];

  /** Without TLS nothing goes to other hosts than these and this machine, whatever a reading takes for a webhook's URL or a redirect leads to. */
  constructor(plainHttpHosts: readonly string[] = []) {
    this.#plainHttpHosts = plainHttpHosts;
  }

  readonly post: Post = async (url, body, headers, { seconds, followsRedirects } = PATIENCE) => {
    try {
      const { request, agent, following } = await this.#load();
      const dispatcher = followsRedirects ? following : agent;
      const signal = AbortSignal.timeout(seconds * 1000);
      const answer = await request(url, { method: 'POST', body, headers, dispatcher, signal });
      return { status: answer.statusCode, headers: telling(answer.headers), body: await beginning(answer.body) };
    } catch (error) {
      return { error: reason(error, seconds) };
    }
  };

  /**
   * Every post has a connection of its own (`pipelining: 0`): on one that is kept, a receiver that hangs up at the wrong moment would cost its
   * webhook one of the failures of its life, and a receiver that is shut down in a test would wait for us.
   */
  #load(): Promise<Undici> {
    this.#undici ??= import('undici').then(({ Agent, buildConnector, interceptors, request }) => {
      const open = buildConnector({ timeout: LONGEST_CONNECT });
      const connect: typeof open = (options, callback) => {
        const { protocol, hostname } = options;
        if (protocol === 'https:' || mayBePlain(hostname, this.#plainHttpHosts)) open(options, callback);
        else callback(new Error(`nothing is posted to ${hostname} without TLS; name it with --allow-http-webhooks`), null);
      };
      const agent = new Agent({ pipelining: 0, connect });
      return { request, agent, following: agent.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS })) };
    });
    return this.#undici;
  }

  async close(): Promise<void> {
    await (await this.#undici)?.agent.destroy();
  }
}

function reason(error: unknown, seconds: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  return name === 'TimeoutError' ? `no answer within ${seconds} seconds` : (code ?? message ?? String(error));
}

function telling(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    TELLING_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** The status is the answer; of its body, what is there at once. Nobody waits for a receiver that dawdles over the rest. */
function beginning(body: Readable): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = () => {
      clearTimeout(deadline);
      body.destroy();
      resolve(Buffer.concat(parts).subarray(0, KEPT).toString('utf8'));
    };
    const deadline = setTimeout(end, DAWDLING);
    body.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size >= KEPT) end();
    });
    for (const ending of ['end', 'error', 'close']) body.on(ending, end);
  });
}
