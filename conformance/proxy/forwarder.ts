import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import {
  answerInsteadOfTarget,
  headersOf,
  isToken,
  keepAnswerHeaders,
  keepRequestHeaders,
  OWN_ANSWER,
  TOKEN_HEADER,
} from './headers.ts';

/** One request of a client and the target's answer. */
export interface ForwardedExchange {
  /** When the request arrived, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until the answer was complete. */
  readonly ms: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: too large to keep, or not complete. */
  readonly body: Buffer | undefined;
  /** Undefined: no complete answer. */
  readonly answer:
    | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer | undefined }
    | undefined;
  /** Why there is no complete answer. */
  readonly loss: Loss | undefined;
}

export interface Loss {
  readonly reason: 'unreachable' | 'client-closed' | 'target-closed' | 'stopped' | 'other-proxy';
  /** Of the connection, such as ECONNREFUSED. */
  readonly code: string;
}

interface ForwarderOptions {
  /** Base URL of the target. */
  readonly target: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: clients need no token. */
  readonly token?: string | undefined;
  /** Called when a request arrives; the function it returns is called with the exchange when it is over. */
  readonly begin: () => (exchange: ForwardedExchange) => void;
}

export interface Forwarder {
  readonly url: string;
  /** Requests without an answer so far. */
  readonly underWay: number;
  /** Stops listening. Waits for requests under way, at most `ms` milliseconds and at most until `hurry`. */
  close(ms: number, hurry?: AbortSignal): Promise<void>;
}

const maximumHeaders = 65_536;
/** The proxy forwards larger bodies, and does not check them. */
const maximumKept = 8 * 1_048_576;
/** Milliseconds: some servers close idle connections after two seconds without notice. */
const keepAliveTimeout = 1_000;

/** Forwards requests to the target and answers to the client. Rejects with node's error if it cannot listen. */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  // The target decides how long a request takes.
  const agent = new Agent({ keepAliveTimeout, maxHeaderSize: maximumHeaders, headersTimeout: 0, bodyTimeout: 0 });
  const underWay = new Map<AbortController, Promise<void>>();

  const server = createServer({ maxHeaderSize: maximumHeaders }, (incoming, response) => {
    if (options.token !== undefined && !isToken(incoming.headers[TOKEN_HEADER], options.token)) {
      incoming.resume();
      answerInsteadOfTarget(
        response,
        403,
        'token',
        `This proxy needs its token in the header ${TOKEN_HEADER}. Nothing was forwarded.`,
      );
      return;
    }
    const stop = new AbortController();
    const end = options.begin();
    const done = forward(incoming, response, options.target, agent, stop.signal).then((exchange) => {
      underWay.delete(stop);
      end(exchange);
    });
    underWay.set(stop, done);
  });
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, timeout: 0 });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port, options.host, done);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    get underWay() {
      return underWay.size;
    },
    async close(ms, hurry) {
      const stopAll = () => {
        for (const stop of underWay.keys()) stop.abort();
      };
      const late = setTimeout(stopAll, ms);
      hurry?.addEventListener('abort', stopAll);
      if (hurry?.aborted) stopAll();
      const closed = new Promise<void>((done) => {
        server.close(() => done());
      });
      server.closeIdleConnections();
      await Promise.all(underWay.values());
      clearTimeout(late);
      server.closeAllConnections();
      await closed;
      await agent.destroy();
    },
  };
}

/** Forwards one request; never rejects. */
async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  base: string,
  agent: Agent,
  stopped: AbortSignal,
): Promise<ForwardedExchange> {
  const at = Date.now();
  const { method = 'GET', url = '/' } = incoming;
  const target = url.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const requestBody = collectBytes(incoming);
  let answerBody = (): Buffer | undefined => undefined;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  let head: { readonly status: number; readonly headers: Record<string, string> } | undefined;
  let loss: Loss | undefined;
  try {
    const { 'content-length': length, 'transfer-encoding': chunked } = incoming.headers;
    const { origin, pathname } = new URL(base);
    const answer = await agent.request({
      origin,
      path: pathname.replace(/\/$/, '') + target,
      method: method as 'GET',
      headers: keepRequestHeaders(incoming.rawHeaders),
      body: length !== undefined || chunked !== undefined ? incoming : null,
      signal: AbortSignal.any([closed.signal, stopped]),
      responseHeaders: 'raw',
    });
    const raw = (answer.headers as unknown as readonly (string | Buffer)[]).map(String);
    head = { status: answer.statusCode, headers: headersOf(raw) };
    response.sendDate = false;
    response.writeHead(head.status, keepAnswerHeaders(raw));
    answerBody = collectBytes(answer.body);
    await pipeline(answer.body, response);
    const mark = head.headers[OWN_ANSWER];
    if (mark !== undefined) loss = { reason: 'other-proxy', code: mark.slice(0, 20) };
  } catch (error) {
    loss = lossOf(error as NodeJS.ErrnoException, head !== undefined, stopped.aborted, closed.signal.aborted);
    if (response.headersSent) response.destroy();
    else if (loss.reason === 'stopped')
      answerInsteadOfTarget(response, 502, 'stopped', 'The proxy was stopped before the target answered.');
    else
      answerInsteadOfTarget(
        response,
        502,
        'no-answer',
        `The target gave no answer (${loss.code}). The proxy answers, not the service.`,
      );
    incoming.resume();
    await finished(response).catch(() => {});
  }
  return {
    at,
    ms: Date.now() - at,
    method,
    target,
    headers: headersOf(incoming.rawHeaders),
    body: incoming.complete ? requestBody() : undefined,
    answer: head && !loss ? { ...head, body: answerBody() } : undefined,
    loss,
  };
}

/** Collects the bytes of a stream, for another reader to read them too. The result returns them; undefined if they are too large to keep. */
function collectBytes(stream: Readable): () => Buffer | undefined {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (part: Buffer) => {
    size += part.length;
    if (size > maximumKept) parts.length = 0;
    else parts.push(part);
  });
  // The stream starts again when the other reader is attached.
  stream.pause();
  return () => (size > maximumKept ? undefined : Buffer.concat(parts));
}

/** Codes of connections that were not established. */
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|TLS|SSL/;

function lossOf(error: NodeJS.ErrnoException, hasHead: boolean, isStopped: boolean, isClosed: boolean): Loss {
  const code = error.code ?? error.name;
  if (isStopped) return { reason: 'stopped', code };
  if (isClosed && (!hasHead || code === 'ERR_STREAM_PREMATURE_CLOSE' || error.name === 'AbortError'))
    return { reason: 'client-closed', code };
  return { reason: !hasHead && unreachable.test(code) ? 'unreachable' : 'target-closed', code };
}
