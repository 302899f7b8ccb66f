import { isLoopback } from '../domain/hosts.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import { isReader } from './reader.ts';
import { isSecret } from './same-secret.ts';

/** Who may use the control door. */
export interface Guard {
  /** Host names besides those of loopback under which the sandbox is reached. */
  readonly hosts: readonly string[];
  /** Asked for in the header x-sandbox-token, when the sandbox listens to more than this machine. */
  readonly token: string | undefined;
}

interface Objection {
  readonly status: number;
  readonly sentence: string;
}

const HEALTH = '/__mock/health';

/** Why a request may not use the control door; undefined when it may. A web page of somebody else must not reach it, under no name. */
export function objection(request: ServiceRequest, guard: Guard): Objection | undefined {
  const { headers, target } = request;
  const host = headers.host;
  // Whoever runs a container asks whether it is well, and has no token.
  const { token } = guard;
  const isKnown = token === undefined || isSecret(headers['x-sandbox-token'], token) || isReader(request, token);
  if (!isKnown && target.split('?', 1)[0] !== HEALTH) {
    const sentence =
      'The sandbox listens to more than this machine, so its control door asks for the token that it printed, in x-sandbox-token.';
    return { status: 401, sentence };
  }
  if (typeof host !== 'string' || (guard.token === undefined && !isOwn(host, guard))) {
    return { status: 403, sentence: `The control door is not reached under the host ${host}; use 127.0.0.1 or localhost.` };
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, sentence: `A page of ${origin} may not use the control door.` };
  }
  return undefined;
}

function isOwn(host: string, guard: Guard): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return isLoopback(name) || guard.hosts.includes(name);
}
