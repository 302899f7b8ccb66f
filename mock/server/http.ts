import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { sendBroken } from '../faults/break-answer.ts';
import type { StruckRequest } from '../faults/faults.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';

/** Between node:http and the sandbox's plain records. No rule of the service is here; the size limit is only counted here. */

/** What answers; the Date header shows the answerer's own time. */
export type Answerer = (request: ServiceRequest) => Dated | Promise<Dated>;
export interface Dated {
  readonly answer: Answer;
  readonly at: number;
  /** What becomes of the answer on its way. */
  readonly fault?: StruckRequest | undefined;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

const MEBIBYTE = 1_048_576;
/** In bytes (http.body-size-limit). */
export const LARGEST_BODY = MEBIBYTE;
/** What the control door takes at most, in bytes: a snapshot of an account with 100,000 cards is about a hundred mebibytes. */
export const MOST_CONTROLLED = 500 * MEBIBYTE;

/** In bytes; of a body that is larger nothing is kept, whatever its reader says. */
export function mostReadAt(target: string): number {
  return target.startsWith('/__mock') ? MOST_CONTROLLED : 64 * MEBIBYTE;
}

/** Listens on host and port (0: any free one). Rejects with node's error when the port is in use. */
export async function listen(answerer: Answerer, host: string, port: number): Promise<Listener> {
  const answered = (incoming: IncomingMessage, response: ServerResponse) => receive(answerer, incoming, response);
  const server = createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, answered);
  server.on('checkExpectation', answered);
  server.on('clientError', turnAway);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A connection that cannot be taken ends none of the others.
  server.on('error', () => {});
  const address = server.address() as AddressInfo;
  return {
    host: address.address,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What is no HTTP gets an answer of this kind here, as there is no request to hand on. */
function turnAway({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const text = `This is no HTTP request that can be read (${code}).`;
  const head = ['content-type: text/plain; charset=utf-8', `content-length: ${Buffer.byteLength(text)}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${text}`);
}

function receive(answerer: Answerer, incoming: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', headers } = incoming;
  const request = (body: ServiceRequest['body']): ServiceRequest => ({
    method,
    target: target(incoming),
    headers,
    body,
    address: incoming.socket.remoteAddress,
  });
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!hasBody && !unread.has(incoming.socket)) {
    reply(answerer, request(undefined), response);
    return;
  }

  const { socket } = incoming;
  const most = mostReadAt(target(incoming));
  unread.set(socket, incoming);
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  });
  incoming.on('end', () => {
    if (unread.get(socket) === incoming) unread.delete(socket);
    reply(answerer, request(size > most ? 'too large' : hasBody ? joined(chunks) : undefined), response);
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/**
 * By connection, the request that came last and whose body is still being read: one that comes behind it without waiting for its answer, and has no
 * body to wait for, would otherwise be ahead of it.
 */
const unread = new WeakMap<Socket, IncomingMessage>();

/** Path and query; a client that sends the whole address, as to a proxy, means the same. */
function target({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

function reply(answerer: Answerer, request: ServiceRequest, response: ServerResponse): void {
  const dated = answerer(request);
  if (dated instanceof Promise) dated.then((later) => send(later, response));
  else if (dated.fault) spoil(dated, dated.fault, response);
  else send(dated, response);
}

function spoil(dated: Dated, fault: StruckRequest, response: ServerResponse): void {
  sendBroken(
    fault,
    dated.answer,
    response,
    () => head(dated, response),
    () => send(dated, response),
  );
}

/**
 * Headers and body leave in one write, which node does only for a body that is a string; and one byte a letter, where that is all the text needs.
 * Headers as a flat list are written down as they stand.
 */
function send(dated: Dated, response: ServerResponse): void {
  const { body } = dated.answer;
  const length = head(dated, response);
  const held = length > LONG ? response.socket : null;
  held?.cork();
  if (held) response.flushHeaders();
  if (typeof body === 'string') response.end(body, length === body.length ? 'latin1' : 'utf8');
  else response.end(body);
  held?.uncork();
}

/** A text so long, in bytes, is not put together with its headers, which would copy it once more; both still leave in one write. */
const LONG = 8192;

/** Status and headers; answers with the length of the body in bytes. */
function head({ answer, at }: Dated, response: ServerResponse): number {
  const { status, headers, body, bytes } = answer;
  const length = bytes ?? (typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  const lines = status === 204 ? ['date', dateText(at)] : ['content-length', String(length), 'date', dateText(at)];
  for (const name in headers) lines.push(name, headers[name] as string);
  response.sendDate = false;
  response.writeHead(status, lines);
  return length;
}

let second = Number.NaN;
let text = '';

/** The time as the Date header has it, made once per second. */
export function dateText(at: number): string {
  const now = Math.trunc(at / 1000);
  if (now !== second) {
    second = now;
    text = new Date(at).toUTCString();
  }
  return text;
}
