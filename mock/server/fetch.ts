import { fetchBroken } from '../faults/break-answer.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { type Answerer, type Dated, dateText, mostReadAt } from './http.ts';

/** Between fetch's Request and Response and the sandbox's plain records, for a mock that is asked without a socket. */

/** The name of a mock without a socket, which no other can have. */
export const OWN_HOST = 'sandbox.invalid';

/** Asks the answerer, or whoever answers `at` an address's origin; path and query count, and nothing is sent to the host. */
export function fetchFrom(
  answerer: Answerer,
  at: (origin: string) => Answerer = () => answerer,
): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : String(input), `http://${OWN_HOST}`);
    const request = new Request(input instanceof Request ? new Request(address, input) : address, init);
    const dated = await at(address.origin)(await plain(request));
    const whole = () => toResponse(dated, request.method);
    return dated.fault ? fetchBroken(dated.fault, dated.answer, whole, request.signal) : whole();
  };
}

/** The address's host is left behind: without a socket, nobody can come under a name that is not ours. */
async function plain(request: Request): Promise<ServiceRequest> {
  const { pathname, search } = new URL(request.url);
  const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const body = bytes && bytes.length > mostReadAt(pathname) ? 'too large' : bytes;
  return {
    method: request.method,
    target: `${pathname}${search}`,
    headers: { host: OWN_HOST, ...Object.fromEntries(request.headers) },
    body,
  };
}

/** The same headers as over a socket, but for those of the connection. */
function toResponse({ answer: { status, headers, body }, at }: Dated, method: string): Response {
  const length: Record<string, string> = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // Of an empty text, the library would say that it is plain text.
  return new Response(method === 'HEAD' || status === 204 || body.length === 0 ? null : (body as string), {
    status,
    headers: { ...headers, ...length, date: dateText(at) },
  });
}
