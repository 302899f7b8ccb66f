import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../domain/webhooks.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';

/** Who may use the control API. */
export interface Guard {
  /** Accepted host names in addition to those of loopback. */
  readonly hosts: readonly string[];
  /** Required in the header x-sandbox-token; undefined if the sandbox listens on a loopback address. */
  readonly token: string | undefined;
}

interface Rejection {
  readonly status: number;
  readonly sentence: string;
}

const HEALTH = '/__mock/health';
const COOKIE = 'giftcard-sandbox-reader';
const PAGES = ['/__mock/reference', '/__mock/control-reference'];
const DOCUMENTS = [
  ...PAGES,
  '/__mock/openapi.json',
  '/__mock/openapi.yaml',
  '/__mock/control.json',
  '/__mock/redoc.standalone.js',
];

/** Why a request may not use the control API; undefined if it may. Pages of other origins, and other host names, are rejected. */
export function rejectionOf(request: ServiceRequest, { hosts, token }: Guard): Rejection | undefined {
  const { host, origin } = request.headers;
  const isKnown = token === undefined || isSecret(request.headers['x-sandbox-token'], token) || hasCookie(request, token);
  // The health check of a container has no token.
  if (!isKnown && pathOf(request) !== HEALTH) {
    const sentence =
      'The sandbox listens on more than loopback addresses, so the control API needs the token that it printed, in the header x-sandbox-token.';
    return { status: 401, sentence };
  }
  if (typeof host !== 'string' || (token === undefined && !isOwn(host, hosts)))
    return { status: 403, sentence: `The control API is not available under the host ${host}; use 127.0.0.1 or localhost.` };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, sentence: `Pages of ${origin} may not use the control API; only pages of the sandbox itself may.` };
  return undefined;
}

function isOwn(host: string, hosts: Guard['hosts']): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isLoopback(name) || hosts.includes(name);
}

/** A browser cannot send the token in a header. It opens a page with `?token=` once, gets a cookie for the documents, and is redirected. */
export function readerLogin(request: ServiceRequest, { token }: Guard): Answer | undefined {
  const [path, query] = request.target.split('?', 2) as [string, string?];
  if (token === undefined || query === undefined || request.method !== 'GET' || !PAGES.includes(path)) return undefined;
  if (!isSecret(new URLSearchParams(query).get('token') ?? undefined, token)) return undefined;
  const cookie = `${COOKIE}=${passOf(token)}; Path=/__mock/; HttpOnly; SameSite=Strict`;
  return { status: 303, headers: { location: path, 'set-cookie': cookie, 'referrer-policy': 'no-referrer' }, body: '' };
}

function hasCookie(request: ServiceRequest, token: string): boolean {
  const { cookie } = request.headers;
  if (request.method !== 'GET' || !DOCUMENTS.includes(pathOf(request)) || typeof cookie !== 'string') return false;
  return cookie.split(/; */).some((each) => isSecret(each, `${COOKIE}=${passOf(token)}`));
}

/** The cookie's value, from which the token cannot be derived. */
function passOf(token: string): string {
  return createHash('sha256').update(`${COOKIE}\n${token}`).digest('hex');
}

/** Compares in constant time. */
function isSecret(given: unknown, secret: string): boolean {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function pathOf({ target }: ServiceRequest): string {
  return target.split('?', 1)[0] as string;
}
