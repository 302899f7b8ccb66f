import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/types.ts';

export type { Account } from '../client/account.ts';
export { SandboxError } from '../client/call.ts';
export { type ConnectedSandbox, type ConnectOptions, connectSandbox } from '../client/sandbox.ts';
export type { components, operations, paths } from './generated/types.ts';

export interface ControlOptions {
  /** The sandbox's base URL or, where its control door has a port of its own, that one's: http://127.0.0.1:8460. */
  readonly url: string;
  /** Printed at the start of a sandbox that listens to more than this machine. */
  readonly token?: string;
  /** What asks, in place of the global fetch: `mock.fetch` of a mock without a socket. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Asks the control door, with types for every path, body and answer. */
export type ControlClient = Client<paths, 'application/json'>;

/**
 * A client of the control door of the sandbox at a URL: `client.POST('/accounts/{account}/cards', { params: { path: { account: 'main' } }, body: { balance: 20 } })`
 * answers with `data` or, where the door refuses, with `error.error`, a sentence. It rejects where nobody answers, and throws for a URL that is none.
 */
export function createControlClient(options: ControlOptions | string): ControlClient {
  const { url, token, fetch } = typeof options === 'string' ? { url: options } : options;
  const { origin } = new URL(url);
  return createClient<paths, 'application/json'>({
    baseUrl: `${origin}/__mock`,
    headers: token === undefined ? {} : { 'x-sandbox-token': token },
    ...(fetch ? { fetch } : {}),
  });
}
