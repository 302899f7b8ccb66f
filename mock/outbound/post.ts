import { addAbortSignal, type Readable } from 'node:stream';
import { mayBePlain } from '../domain/webhooks.ts';
import type { Count } from '../state/value-types.ts';

/** A receiver's answer. The mock keeps only headers that help with debugging, and the beginning of the body. */
export interface ReceiverAnswer {
  readonly status: Count;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type PostResult = ReceiverAnswer | { readonly error: string };

interface PostLimits {
  /** The time within which the receiver must answer. */
  readonly seconds: number;
  readonly followsRedirects: boolean;
}

/** Posts a body once (delivery.is-post-of-one-object). Never rejects. */
export type Post = (
  url: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  limits: PostLimits,
) => Promise<PostResult>;

/** Milliseconds to open a connection: the longest option of delivery.time-out. */
const CONNECT_TIMEOUT = 30_000;
const MAX_REDIRECTS = 5;
/** The number of bytes that the mock keeps of a receiver's body. */
const MAX_BODY = 2048;
/** Milliseconds that the mock waits for a receiver's body. */
const BODY_TIMEOUT = 100;

const KEPT_HEADERS = 'content-type content-length location retry-after server via www-authenticate x-request-id'.split(' ');

/** Posts with undici. The first post loads undici. */
export class HttpPoster {
  #undici: ReturnType<typeof loadUndici> | undefined;
  readonly #plainHttpHosts: readonly string[];

  /** Without TLS, the mock posts only to loopback addresses and `plainHttpHosts`. This also applies to redirects. */
  constructor(plainHttpHosts: readonly string[] = []) {
    this.#plainHttpHosts = plainHttpHosts;
  }

  readonly post: Post = async (url, body, headers, { seconds, followsRedirects }) => {
    try {
      this.#undici ??= loadUndici(this.#plainHttpHosts);
      const { request, agent, following } = await this.#undici;
      const dispatcher = followsRedirects ? following : agent;
      const signal = AbortSignal.timeout(seconds * 1000);
      const answer = await request(url, { method: 'POST', body, headers, dispatcher, signal });
      return { status: answer.statusCode, headers: keptHeaders(answer.headers), body: await beginningOf(answer.body) };
    } catch (error) {
      const { name, code, message } = error as { name?: string; code?: string; message?: string };
      return { error: name === 'TimeoutError' ? `no answer within ${seconds} seconds` : (code ?? message ?? String(error)) };
    }
  };

  async close(): Promise<void> {
    await (await this.#undici)?.agent.destroy();
  }
}

/**
 * Makes undici open a connection for every post (`pipelining: 0`). A receiver may close a reused connection just when a post begins, and this would
 * count as a failure of the webhook.
 */
async function loadUndici(plainHttpHosts: readonly string[]) {
  const { Agent, buildConnector, interceptors, request } = await import('undici');
  const open = buildConnector({ timeout: CONNECT_TIMEOUT });
  const connect: typeof open = (options, callback) => {
    const { protocol, hostname } = options;
    if (protocol === 'https:' || mayBePlain(hostname, plainHttpHosts)) open(options, callback);
    else callback(new Error(`the mock posts to ${hostname} only with TLS; allow http with --allow-http-webhooks`), null);
  };
  const agent = new Agent({ pipelining: 0, connect });
  return { request, agent, following: agent.compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS })) };
}

function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = KEPT_HEADERS.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, String(headers[name])]));
}

/** Returns the part of a body that arrives within BODY_TIMEOUT. Only the status decides the result, so the mock does not wait for a slow body. */
async function beginningOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of addAbortSignal(AbortSignal.timeout(BODY_TIMEOUT), body)) {
      parts.push(part);
      size += part.length;
      if (size >= MAX_BODY) break;
    }
  } catch {
    // The connection broke, or the body took too long.
  }
  return Buffer.concat(parts).subarray(0, MAX_BODY).toString('utf8');
}
