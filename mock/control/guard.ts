import { timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../domain/webhooks.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { ControlError } from './resources.ts';

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
];

/** Throws ControlError if the token is wrong, the host name is not accepted, or a page of another origin sent the request. */
export function mustBeAllowed({ target, headers }: ServiceRequest, { hosts, token }: Guard): void {
  const { host, origin, 'x-sandbox-token': given } = headers;
  const isPublic = PUBLIC.some((name) => target === `/__mock/${name}`);
  if (token !== undefined && !isPublic && !isEqual(String(given), token))
    throw new ControlError(
      401,
      'The control API needs a token, because other machines can reach the sandbox. Send the token in the header x-sandbox-token. The sandbox prints the token at its start.',
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

/** Compares in constant time, so that the duration reveals nothing about the secret. */
function isEqual(text: string, secret: string): boolean {
  const [one, other] = [Buffer.from(text), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
