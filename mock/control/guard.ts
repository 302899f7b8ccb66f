import { timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../domain/webhooks.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';

/** The clients that may use the control API. */
export interface Guard {
  /** Accepted host names in addition to the loopback names. */
  readonly hosts: readonly string[];
  /** The value of the header x-sandbox-token. Undefined if the sandbox listens on loopback only, where no token is needed. */
  readonly token: string | undefined;
}

/** Paths that need no token, because a container's health check and a browser cannot send the header. */
const PUBLIC = [
  'health',
  'reference',
  'control-reference',
  'openapi.json',
  'openapi.yaml',
  'control.json',
  'redoc.standalone.js',
  'ui/dashboard.js',
  'ui/dashboard.css',
];

/** Returns status and sentence if the token is wrong, the host name is not accepted, or a page of another origin sent the request. */
export function refusalOf(
  { target, headers }: Pick<ServiceRequest, 'target' | 'headers'>,
  { hosts, token }: Guard,
): readonly [status: number, sentence: string] | undefined {
  const { host, origin, 'x-sandbox-token': given } = headers;
  const isPublic = PUBLIC.some((name) => target === `/__mock/${name}`);
  if (token !== undefined && !isPublic && !isEqual(String(given), token))
    return [
      401,
      'The control API needs a token, because other machines can reach the sandbox. Send the token in the header x-sandbox-token. The sandbox prints the token at its start.',
    ];
  if (typeof host !== 'string' || (token === undefined && !isOwn(host, hosts)))
    return [403, `The control API is not available under the host ${host}; use 127.0.0.1 or localhost.`];
  if (origin !== undefined && origin !== `http://${host}`)
    return [403, `Pages of ${origin} may not use the control API; only pages of the sandbox itself may.`];
  return undefined;
}

const MEBIBYTE = 1_048_576;

/** Returns the largest accepted body in bytes. A snapshot of an account with 100,000 cards has about 100 MiB. */
export function largestBodyOf(target: string): number {
  return (/^\/__mock\/(accounts\/[^/]+\/)?snapshot$/.test(target) ? 500 : 64) * MEBIBYTE;
}

/** Returns the number of bytes of a body that the mock keeps. The body of a refused request is not kept. */
export function keptBytesOf(request: Pick<ServiceRequest, 'target' | 'headers'>, guard: Guard): number {
  return refusalOf(request, guard) ? 0 : largestBodyOf(request.target);
}

function isOwn(host: string, hosts: Guard['hosts']): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isLoopback(name) || hosts.includes(name);
}

/** Compares in constant time, so that the duration reveals nothing about the secret. */
function isEqual(text: string, secret: string): boolean {
  const [one, other] = [Buffer.from(text), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
