import { createHash, timingSafeEqual } from 'node:crypto';
import { isForCard } from '../dashboard/addresses.ts';
import { isLoopbackHost } from '../domain/webhooks.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';

/** The clients that may use the control API. */
export interface Guard {
  /** Accepted host names in addition to the loopback names. */
  readonly hosts: readonly string[];
  /** The value of the header x-sandbox-token. Undefined if the sandbox listens on loopback only, where no token is needed. */
  readonly token: string | undefined;
}

/** Paths that need no token, because a container's health check and a browser cannot send the header. The page without a token says so. */
const PUBLIC = [
  '',
  'health',
  'openapi.json',
  'openapi.json?rules=true',
  'openapi.yaml',
  'control.json',
  'ui/dashboard.js',
  'ui/dashboard.css',
];

type RequestHead = Pick<ServiceRequest, 'method' | 'target' | 'headers'>;

/** Returns status and sentence if the token is wrong, the host name is not accepted, or a page of another origin sent the request. */
export function guardRefusal(
  request: RequestHead,
  { hosts, token }: Guard,
): readonly [status: number, sentence: string] | undefined {
  const { host, origin } = request.headers;
  const isPublic = isForCard(request) || PUBLIC.some((name) => request.target === `/__mock/${name}`);
  const refusal = token === undefined || isPublic ? undefined : refusalOfToken(request, token);
  if (refusal) return refusal;
  if (typeof host !== 'string' || (token === undefined && !isOwn(host, hosts)))
    return isForCard(request)
      ? [403, `Cards are not shown under the host ${host}; start the mock with --public-url http://${host}.`]
      : [403, `The control API is not available under the host ${host}; use 127.0.0.1 or localhost.`];
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return [403, `Pages of ${origin} may not use the control API; only pages of the sandbox itself may.`];
  return undefined;
}

function refusalOfToken({ method, headers }: RequestHead, token: string): ReturnType<typeof guardRefusal> {
  const { origin, cookie, 'x-sandbox-token': given } = headers;
  if (isEqual(given, token)) return undefined;
  const cookies = typeof cookie === 'string' ? cookie.split('; ') : [];
  if (!cookies.some((each) => isEqual(each, cookieOf(token))))
    return [401, `The control API needs ${given ? 'the right' : 'a'} token in x-sandbox-token; the mock printed it at start.`];
  // Browsers send the cookie for pages of other ports, too, but always with their origin.
  if (method !== 'GET' && method !== 'HEAD' && origin === undefined)
    return [403, 'A request with the cookie needs the header Origin; or send the token in the header x-sandbox-token.'];
  return undefined;
}

export const COOKIE_PREFIX = 'sandbox_';

/**
 * The cookie that a browser sends instead of the header. It does not reveal the token. Sandboxes at other ports of the host have other names, because
 * cookies have no port.
 */
export function cookieOf(token: string): string {
  const value = createHash('sha256').update(`dashboard ${token}`).digest('hex');
  return `${COOKIE_PREFIX}${value.slice(0, 8)}=${value.slice(8)}`;
}

const MEBIBYTE = 1_048_576;

/** Returns the largest accepted body in bytes. A snapshot of an account with 100,000 cards has about 100 MiB, its description about 20. */
export function largestBodyOf(target: string): number {
  if (target === '/__mock/accounts') return 64 * MEBIBYTE;
  return (/^\/__mock\/(accounts\/[^/]+\/)?snapshot$/.test(target) ? 500 : 1) * MEBIBYTE;
}

/** Returns the number of bytes of a body that the mock keeps. The body of a refused request is not kept. */
export function keptBytesOf(request: RequestHead, guard: Guard): number {
  return guardRefusal(request, guard) ? 0 : largestBodyOf(request.target);
}

/**
 * Returns a function that refuses host names that may mean another machine. Otherwise, a web page could point its own name at a mock on loopback, and use
 * the public key of the default world. Browsers always send the header, so a request without it is accepted.
 */
export function hostCheck({ hosts, token }: Guard): (request: RequestHead) => string | undefined {
  let accepted: unknown; // The last accepted text, because clients repeat it.
  return ({ headers: { host } }) => {
    if (token !== undefined || host === undefined || host === accepted) return undefined;
    if (!isOwn(String(host), hosts))
      return `The mock listens on loopback only and does not respond under the host ${host}; use 127.0.0.1 or localhost, or start it with --allow-host ${nameOf(String(host))} (in code: allowHosts).`;
    accepted = host;
    return undefined;
  };
}

const nameOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '');

function isOwn(host: string, hosts: Guard['hosts']): boolean {
  const name = nameOf(host);
  return isLoopbackHost(name) || hosts.includes(name);
}

/** Compares in constant time, so that the duration reveals nothing about the secret. A header that is missing or repeated equals no secret. */
export function isEqual(text: unknown, secret: string): boolean {
  if (typeof text !== 'string') return false;
  const [one, other] = [Buffer.from(text), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
