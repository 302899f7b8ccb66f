import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished, pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { TARGET_HEADER } from '../core/trust.ts';
import { isLoopback } from '../http/target.ts';
import { collectBytes } from '../http/transport.ts';

/** The header with the client's token. The proxy does not forward this header. */
export const TOKEN_HEADER = 'x-giftcard-sandbox-proxy-token';

/** The header of responses that come from the proxy itself. The value of the header is the reason. */
export const OWN_RESPONSE = 'x-giftcard-sandbox-proxy';

export interface ForwardedExchange {
  /** Arrival of the request in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until the response was complete. */
  readonly ms: number;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body is too large to keep, or incomplete. */
  readonly body: Buffer | undefined;
  readonly response:
    | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer | undefined }
    | undefined;
  /** Defined if the response is missing or incomplete. `code` is an error code such as ECONNREFUSED. */
  readonly loss: { readonly reason: 'unreachable' | 'incomplete'; readonly code: string } | undefined;
}

export interface ForwarderOptions {
  readonly target: string;
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
  /** The forwarder calls `begin` when a request arrives, and calls the returned function when the exchange has ended. */
  readonly begin: () => (exchange: ForwardedExchange) => void;
}

const maximumHeaders = 65_536;
/** Bytes of the largest body that the proxy checks. The proxy forwards larger bodies unchecked. */
const maximumKept = 8 * 1_048_576;
/** Milliseconds that an idle connection stays open. The value is small, because some servers close idle connections after two seconds. */
const keepAliveTimeout = 1_000;

/** Starts to forward requests to the target. Rejects with node's error if the forwarder cannot listen. */
export async function startForwarder(options: ForwarderOptions) {
  // No timeouts: the target decides how long a request takes.
  const agent = new Agent({ keepAliveTimeout, maxHeaderSize: maximumHeaders, headersTimeout: 0, bodyTimeout: 0 });
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();

  const settings = { maxHeaderSize: maximumHeaders, requestTimeout: 0, headersTimeout: 0 };
  const server = createServer(settings, (incoming, res) => {
    if (options.token !== undefined && !isToken(incoming.headers[TOKEN_HEADER], options.token)) {
      incoming.resume();
      const sentence = `This proxy needs its token in the header ${TOKEN_HEADER}. Nothing was forwarded.`;
      respondInsteadOfTarget(res, 403, 'token', sentence);
      return;
    }
    const { host = '' } = incoming.headers;
    // A web page can let its own name lead to this machine, and the target would see the proxy's request, not the page's.
    if (options.token === undefined && host !== '' && !isLoopback(host.toLowerCase().replace(/:\d+$/, ''))) {
      incoming.resume();
      const sentence = `The proxy listens on loopback only and does not respond under the host ${host}; use 127.0.0.1 or localhost. Nothing was forwarded.`;
      respondInsteadOfTarget(res, 403, 'host', sentence);
      return;
    }
    const end = options.begin();
    const done = forward(incoming, res, options.target, agent, stop.signal).then((exchange) => {
      underWay.delete(done);
      end(exchange);
    });
    underWay.add(done);
  });
  await once(server.listen(options.port, options.host), 'listening');
  // Without this listener, an error of the server would end the process.
  server.on('error', () => {});
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    /** Number of requests that still wait for a response. */
    get underWay() {
      return underWay.size;
    },
    /** Stops listening, and waits at most `ms` milliseconds for requests under way. */
    async close(ms: number) {
      const late = setTimeout(() => stop.abort(), ms);
      const closed = once(server.close(), 'close');
      await Promise.all(underWay);
      clearTimeout(late);
      server.closeAllConnections();
      await closed;
      await agent.destroy();
    },
  };
}

/** Forwards one request and its response. Never rejects. */
async function forward(
  incoming: IncomingMessage,
  res: ServerResponse,
  base: string,
  agent: Agent,
  stopped: AbortSignal,
): Promise<ForwardedExchange> {
  const at = Date.now();
  const { method = 'GET', url = '/', headers } = incoming;
  const target = url.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const requestBody = collectBytes(incoming, maximumKept);
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  // If the target is itself a proxy, its response replaces this header, and names the service behind that proxy. The client may add a part of the service's base URL.
  const [, prefix = ''] = /^([\w./~-]*?)\/api\//i.exec(target) ?? [];
  res.setHeader(TARGET_HEADER, base.replace(/\/+$/, '') + prefix);
  let response: ForwardedExchange['response'];
  let loss: ForwardedExchange['loss'];
  try {
    const { origin, pathname } = new URL(base);
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const received = await agent.request({
      origin,
      path: pathname.replace(/\/$/, '') + target,
      method: method as 'GET',
      headers: forwardedHeaders(headers, 'host', 'expect', TOKEN_HEADER),
      body: hasBody ? incoming : null,
      signal: AbortSignal.any([closed.signal, stopped]),
    });
    res.sendDate = false;
    res.writeHead(received.statusCode, forwardedHeaders(received.headers));
    const responseBody = collectBytes(received.body, maximumKept);
    await pipeline(received.body, res);
    response = { status: received.statusCode, headers: received.headers, body: responseBody() };
  } catch (error) {
    loss = lossOf(error as NodeJS.ErrnoException);
    const sentence = `The target gave no response (${loss.code}). This response is from the proxy, not from the service.`;
    if (res.headersSent) res.destroy();
    else respondInsteadOfTarget(res, 502, 'no-response', sentence);
    incoming.resume();
    await finished(res).catch(() => {});
  }
  const body = incoming.complete ? requestBody() : undefined;
  return { at, ms: Date.now() - at, method, target, headers, body, response, loss };
}

/** Error codes of connections that could not be opened. */
const notConnected = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL/;

function lossOf(error: NodeJS.ErrnoException) {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return { reason: notConnected.test(code) ? ('unreachable' as const) : ('incomplete' as const), code };
}

/** Reports whether requests to the target would arrive at the proxy itself. */
export function leadsToProxy(target: string, host: string, port: number): boolean {
  const url = new URL(target);
  return url.port === String(port) && (isLoopback(url.hostname) || url.hostname === host);
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares tokens in constant time, so that a client cannot guess the token byte by byte. */
const isToken = (given: unknown, token: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(token));

function respondInsteadOfTarget(res: ServerResponse, status: number, reason: string, sentence: string): void {
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', [OWN_RESPONSE]: reason });
  res.end(`${sentence}\n`);
}

/** Headers of one connection, which a proxy does not forward (RFC 9110, 7.6.1). */
const ofConnection = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

function forwardedHeaders(headers: IncomingHttpHeaders, ...without: string[]): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const omitted = new Set([...named, ...without]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.test(name) && !omitted.has(name)));
}
