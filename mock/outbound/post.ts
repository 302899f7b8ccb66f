import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { addAbortSignal, type Readable } from 'node:stream';
import { mayBePlain } from '../domain/webhooks.ts';
import type { Count } from '../state/value-types.ts';

/** A receiver's response. The mock keeps only headers that help with debugging, and the beginning of the body. */
export interface HttpResponse {
  readonly status: Count;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type PostResult = HttpResponse | { readonly error: string };

interface PostLimits {
  /** The time within which the receiver must respond. */
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

const MAX_REDIRECTS = 5;
/** The number of bytes that the mock keeps of a receiver's body. */
const MAX_BODY = 2048;
/** Milliseconds that the mock waits for a receiver's body. */
const BODY_TIMEOUT = 100;

const KEPT_HEADERS = 'content-type content-length location retry-after server via www-authenticate x-request-id'.split(' ');

/**
 * Posts with `node:http`, which skips interim responses such as `100 Continue`. Each post opens a connection. A receiver may close a reused
 * connection just when a post begins, and this would count as a failure of the webhook.
 */
export class HttpPoster {
  readonly #open = new Set<ClientRequest>();
  readonly #plainHttpHosts: readonly string[];

  /** Without TLS, the mock posts only to loopback addresses and `plainHttpHosts`. This also applies to redirects. */
  constructor(plainHttpHosts: readonly string[] = []) {
    this.#plainHttpHosts = plainHttpHosts;
  }

  readonly post: Post = async (url, body, headers, { seconds, followsRedirects }) => {
    const signal = AbortSignal.timeout(seconds * 1000);
    try {
      const response = await this.#send(new URL(url), body, { headers, signal }, followsRedirects ? MAX_REDIRECTS : 0);
      return { status: response.statusCode ?? 0, headers: keptHeaders(response.headers), body: await beginningOf(response) };
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      return { error: signal.aborted ? `no response within ${seconds} seconds` : (code ?? message ?? String(error)) };
    }
  };

  close(): void {
    for (const sent of this.#open) sent.destroy();
  }

  async #send(url: URL, body: Uint8Array | undefined, options: RequestOptions, redirects: number): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:';
    if (!isSecure && !mayBePlain(url.hostname, this.#plainHttpHosts))
      throw new Error(`the mock posts to ${url.hostname} only with TLS; allow http with --allow-http-webhooks`);
    const { request } = isSecure ? await import('node:https') : http;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, { ...options, method: body ? 'POST' : 'GET', agent: false });
      this.#open.add(sent);
      // If the handshake fails, an earlier write would hide the cause.
      sent.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => sent.end(body)));
      sent.on('response', resolve).on('error', reject);
      // A response that switches protocols only closes the request.
      sent.on('close', () => this.#open.delete(sent) && reject(new Error('the connection was closed')));
    });
    const { statusCode = 0, headers } = response;
    if (redirects === 0 || headers.location === undefined || ![301, 302, 303, 307, 308].includes(statusCode)) return response;
    response.destroy();
    return this.#send(new URL(headers.location, url), statusCode > 303 ? body : undefined, options, redirects - 1);
  }
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
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
