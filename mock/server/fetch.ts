import { fetchBroken } from '../faults/break-answer.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { type DatedAnswer, dateText, type RequestHandler, readLimitOf } from './http.ts';

/** The host of a mock without a socket. No real host has a name that ends in .invalid. */
export const OWN_HOST = 'sandbox.invalid';

/** Returns a fetch without a socket, which calls the handler of the URL's origin. After `closed` aborts, every call rejects. */
export function fetchFrom(
  handlerAt: (origin: string) => RequestHandler,
  closed: AbortSignal,
): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    if (closed.aborted) throw new TypeError('The sandbox is closed; start another sandbox with startMock.');
    const address = new URL(input instanceof Request ? input.url : String(input), `http://${OWN_HOST}`);
    const request = new Request(input instanceof Request ? new Request(address, input) : address, init);
    const dated = await handlerAt(address.origin)(await plain(request));
    const whole = () => toResponse(dated, request.method);
    const { fault, answer } = dated;
    return fault ? fetchBroken(fault, answer, whole, AbortSignal.any([request.signal, closed])) : whole();
  };
}

/** Converts a request. Replaces the host, because every request is for this mock. */
async function plain(request: Request): Promise<ServiceRequest> {
  const { pathname, search } = new URL(request.url);
  const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const body = bytes && bytes.length > readLimitOf(pathname) ? 'too large' : bytes;
  return {
    method: request.method,
    target: `${pathname}${search}`,
    headers: { host: OWN_HOST, ...Object.fromEntries(request.headers) },
    body,
  };
}

/** Converts an answer. Adds the headers that an answer over a socket has. */
function toResponse({ answer: { status, headers, body }, at }: DatedAnswer, method: string): Response {
  const length: Record<string, string> = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // Null instead of an empty string, because Response adds a content type to every string.
  return new Response(method === 'HEAD' || status === 204 || body.length === 0 ? null : (body as string), {
    status,
    headers: { ...headers, ...length, date: dateText(at) },
  });
}
