import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../domain/webhooks.ts';
import type { Answer, ServiceRequest } from '../pipeline/exchange.ts';
import { ControlError } from './resources.ts';

/** Who may use the control API. */
export interface Guard {
  /** Accepted host names in addition to those of loopback. */
  readonly hosts: readonly string[];
  /** Required in the header x-sandbox-token; undefined if the sandbox listens on a loopback address. */
  readonly token: string | undefined;
}

const HEALTH = '/__mock/health';
const COOKIE = 'giftcard-sandbox-reader';
const PAGES = ['/__mock/reference', '/__mock/control-reference'];
const FILES = ['openapi.json', 'openapi.yaml', 'control.json', 'redoc.standalone.js'].map((name) => `/__mock/${name}`);
const DOCUMENTS = [...PAGES, ...FILES];

/** Throws ControlError for a request without the token, for another host name, and for a page of another origin. */
export function mustBeAllowed(request: ServiceRequest, { hosts, token }: Guard): void {
  const { host, origin, 'x-sandbox-token': given } = request.headers;
  // The health check of a container has no token.
  const needsToken = token !== undefined && pathOf(request) !== HEALTH;
  if (needsToken && !isSecret(given, token) && !hasCookie(request, token))
    throw new ControlError(
      401,
      'The control API needs a token, because other machines can reach the sandbox. Send the token that the start printed in the header x-sandbox-token.',
    );
  if (typeof host !== 'string' || (token === undefined && !isOwn(host, hosts)))
    throw new ControlError(403, `The control API is not available under the host ${host}; use 127.0.0.1 or localhost.`);
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ControlError(403, `Pages of ${origin} may not use the control API; only pages of the sandbox itself may.`);
}

function isOwn(host: string, hosts: Guard['hosts']): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isLoopback(name) || hosts.includes(name);
}

/** A browser cannot send the token in a header. It opens a page with `?token=` once, gets a cookie for the documents, and is redirected. */
export function readerLogin(request: ServiceRequest, { token }: Guard): Answer | undefined {
  const path = pathOf(request);
  if (token === undefined || request.method !== 'GET' || !PAGES.includes(path)) return undefined;
  if (!isSecret(new URLSearchParams(request.target.slice(path.length)).get('token'), token)) return undefined;
  const cookie = `${cookieOf(token)}; Path=/__mock/; HttpOnly; SameSite=Strict`;
  return { status: 303, headers: { location: path, 'set-cookie': cookie, 'referrer-policy': 'no-referrer' }, body: '' };
}

function hasCookie(request: ServiceRequest, token: string): boolean {
  if (request.method !== 'GET' || !DOCUMENTS.includes(pathOf(request))) return false;
  return String(request.headers.cookie)
    .split(/; */)
    .some((each) => isSecret(each, cookieOf(token)));
}

/** The token cannot be derived from the cookie. */
function cookieOf(token: string): string {
  return `${COOKIE}=${createHash('sha256').update(`${COOKIE}\n${token}`).digest('hex')}`;
}

/** Compares in constant time. */
function isSecret(given: unknown, secret: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function pathOf({ target }: ServiceRequest): string {
  return target.split('?', 1)[0] as string;
}
