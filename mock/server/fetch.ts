import { addAbortSignal, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { fetchBroken } from '../faults/break-response.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { type DatedResponse, dateText, type KeptBytes, type RequestHandler, readableOf } from './http.ts';

/** The host of a mock without a socket. No real host has a name that ends in .invalid. */
export const OWN_HOST = 'sandbox.invalid';

/** Returns a fetch without a socket, which calls the handler of the URL's origin. After `closed` aborts, every call rejects. */
export function fetchFrom(
  handlerAt: (origin: string) => RequestHandler,
  keptBytes: KeptBytes,
  closed: AbortSignal,
): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    if (closed.aborted) throw new TypeError('The sandbox is closed; start another sandbox with startMock.');
    const address = new URL(input instanceof Request ? input.url : String(input), `http://${OWN_HOST}`);
    const request = new Request(input instanceof Request ? new Request(address, input) : address, init);
    return untilAborted([request.signal, closed], async (signal) => {
      const received = await plain(request, keptBytes, signal);
      signal.throwIfAborted();
      const dated = await handlerAt(address.origin)(received);
      const whole = () => toResponse(dated, request);
      return dated.fault ? fetchBroken(dated.fault, dated.response, whole, signal) : whole();
    });
  };
}

/** Passes a signal to `work`. When one of the signals aborts, rejects with its reason. AbortSignal.any would keep a reference for every call. */
async function untilAborted<T>(signals: readonly AbortSignal[], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const each of signals) each.addEventListener('abort', abort);
  try {
    if (signals.some(({ aborted }) => aborted)) abort();
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    signal.throwIfAborted();
    return await Promise.race([work(signal), aborted]);
  } finally {
    for (const each of signals) each.removeEventListener('abort', abort);
  }
}

/** Converts a request. Its host is one that the guards accept, because no web page sends it. */
async function plain(
  { method, url, headers, body }: Request,
  keptBytes: KeptBytes,
  signal: AbortSignal,
): Promise<ServiceRequest> {
  const { pathname, search } = new URL(url);
  const head = { method, target: `${pathname}${search}`, headers: { host: 'localhost', ...Object.fromEntries(headers) } };
  if (body === null) return { ...head, body: undefined };
  const most = keptBytes(head);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Readable.fromWeb(body as ReadableStream, { signal })) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return { ...head, body: size > most ? 'too large' : Buffer.concat(chunks) };
}

/** Converts a response. Adds the headers that a response over a socket has. */
function toResponse({ response: { status, headers, body, parts }, at }: DatedResponse, { method, signal }: Request): Response {
  const length: Record<string, string> =
    status === 204 || status === 304 || parts ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const whole = parts ? Readable.toWeb(addAbortSignal(signal, readableOf(parts))) : body.length === 0 ? null : body;
  // Null instead of an empty string, because Response adds a content type to every string.
  return new Response(method === 'HEAD' || status === 204 ? null : (whole as string), {
    status,
    headers: { ...headers, ...length, date: dateText(at) },
  });
}
