import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { sendBroken } from '../faults/break-response.ts';
import type { MatchedRequest } from '../faults/faults.ts';
import type { ServiceRequest, ServiceResponse } from '../pipeline/exchange.ts';

/** Translates between node:http and the plain records of the sandbox. This file contains no rule of the service. */

export type RequestHandler = (request: ServiceRequest) => DatedResponse | Promise<DatedResponse>;

export interface DatedResponse {
  readonly response: ServiceResponse;
  /** The time in the Date header. */
  readonly at: number;
  /** A fault that changes how the response is sent. */
  readonly fault?: MatchedRequest | undefined;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Returns the number of bytes of a request's body that are kept. A longer body is read to its end, and the handler gets 'too large'. */
export type KeptBytes = (head: Omit<ServiceRequest, 'body'>) => number;

/** Listens on host and port (0: any free port). Rejects with node's error when the port is in use. */
export async function listen(handler: RequestHandler, keptBytes: KeptBytes, host: string, port: number): Promise<Listener> {
  const receiveFrom = (incoming: IncomingMessage, res: ServerResponse) => receive(handler, keptBytes, incoming, res);
  const server = createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, receiveFrom);
  server.on('checkExpectation', receiveFrom);
  server.on('clientError', rejectUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') error.message = `Port ${port} on ${host} is in use; choose another, or 0 for a free port.`;
      reject(error);
    });
    server.listen(port, host, resolve);
  });
  // A connection that the server fails to accept must not end the process.
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

/** Responds to bytes that are not HTTP. */
function rejectUnreadable({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const text = `This is not a readable HTTP request (${code}).`;
  const head = ['content-type: text/plain; charset=utf-8', `content-length: ${Buffer.byteLength(text)}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${text}`);
}

function receive(handler: RequestHandler, keptBytes: KeptBytes, incoming: IncomingMessage, res: ServerResponse): void {
  const { method = 'GET', headers, socket } = incoming;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  // Listing the properties is several times faster than copying an object with spread syntax.
  const withBody = (body: ServiceRequest['body']): ServiceRequest => ({ method, target: target(incoming), headers, body });
  if (!hasBody && !unread.has(socket)) {
    respond(handler, withBody(undefined), res);
    return;
  }

  const most = keptBytes(withBody(undefined));
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
    const body = size > most ? 'too large' : hasBody ? Buffer.concat(chunks) : undefined;
    respond(handler, withBody(body), res);
  });
}

/** By connection, the request whose body is still being read. The next request on the connection must wait for that request. */
const unread = new WeakMap<Socket, IncomingMessage>();

/** Returns path and query. A client may send the whole URL, as if to a proxy. */
function target({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

function respond(handler: RequestHandler, request: ServiceRequest, res: ServerResponse): void {
  const dated = handler(request);
  if (dated instanceof Promise) dated.then((later) => sendWithFault(later, res)).catch(() => res.destroy());
  else sendWithFault(dated, res);
}

/** Sends a response. A fault may break it. */
function sendWithFault(dated: DatedResponse, res: ServerResponse): void {
  const { fault, response } = dated;
  const whole = () => send(dated, res);
  if (fault) sendBroken(fault, response, res, () => writeHead(dated, res), whole);
  else whole();
}

/** Sends headers and body. Node joins the headers with a string, but not with a buffer, into one write. Latin1 is faster than UTF-8. */
function send(dated: DatedResponse, res: ServerResponse): void {
  const { body, parts } = dated.response;
  const length = writeHead(dated, res);
  const corked = length > LONG ? res.socket : null;
  corked?.cork();
  if (corked) res.flushHeaders();
  if (parts)
    pipeline(readableOf(parts), res, () => {}); // If the client leaves or a part throws, `pipeline` closes the connection.
  else if (typeof body === 'string') res.end(body, length === body.length ? 'latin1' : 'utf8');
  else res.end(body);
  corked?.uncork();
}

export function readableOf(parts: NonNullable<ServiceResponse['parts']>): Readable {
  return parts instanceof Readable ? parts : Readable.from(parts);
}

/** In bytes. To join headers and body, Node copies the body. For a longer body, `cork` is faster: one write without a copy. */
const LONG = 8192;

/** Writes status and headers. Returns the length of the body in bytes. */
function writeHead({ response, at }: DatedResponse, res: ServerResponse): number {
  const { status, headers, body, bytes, parts } = response;
  const length = bytes ?? (typeof body === 'string' ? Buffer.byteLength(body) : body.length);
  const lines =
    status === 204 || status === 304 || parts ? ['date', dateText(at)] : ['content-length', String(length), 'date', dateText(at)];
  for (const name in headers) lines.push(name, headers[name] as string);
  res.sendDate = false;
  res.writeHead(status, lines);
  return length;
}

let second = Number.NaN;
let text = '';

/** Returns the text of the Date header. The text is built once per second. */
export function dateText(at: number): string {
  const now = Math.trunc(at / 1000);
  if (now !== second) {
    second = now;
    text = new Date(at).toUTCString();
  }
  return text;
}
