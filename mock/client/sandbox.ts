import type { AccountDescription, AccountDetails, Health, Snapshot } from '../control/generated/types.ts';
import { type Account, accountClient } from './account.ts';
import { type ControlCall, callThrough } from './call.ts';

export interface AccountOptions {
  /** The lifetime of the account in real time: a duration such as `10m` or `PT10M`. Default: until the account is removed. */
  readonly ttl?: string | undefined;
}

/**
 * A running sandbox, in this process (`startMock`) or in another one (`connectSandbox`). If the sandbox refuses a call, the call rejects with
 * SandboxError and changes nothing. If no sandbox responds, the call rejects with Error.
 */
export interface Sandbox {
  /** Base URL of the service without a slash at the end, such as http://127.0.0.1:8460. */
  readonly url: string;
  /**
   * Creates an account with its own key, cards, clock and outbox. Accounts share nothing, so each test or test file can have its own account.
   * Without a description, the account is a copy of the default account, which has a card of every kind. With a description, even an empty name,
   * the account has only what the description names, a key and a sales channel.
   * @throws SandboxError with status 400 for an invalid description, and 409 if the ID or a key is in use or 10,000 accounts exist.
   * @example
   * const account = await sandbox.createAccount({ name: 'Shop', currency: 'EUR' }, { ttl: '10m' });
   */
  createAccount(description?: AccountDescription, options?: AccountOptions): Promise<Account>;
  /**
   * Returns an existing account.
   * @throws SandboxError with status 404 for an unknown ID.
   * @example
   * const account = await sandbox.getAccount('main');
   */
  getAccount(id: string): Promise<Account>;
  /** Returns version, seed, number of accounts, and the defects that the sandbox found in itself. */
  health(): Promise<Health>;
  /** Restores accounts and records as they were at the start. Removes added accounts. */
  reset(): Promise<void>;
  /** Returns all accounts as a JSON value for `restore`. */
  snapshot(): Promise<Snapshot>;
  /** Replaces all accounts by the accounts of the snapshot. */
  restore(snapshot: Snapshot): Promise<void>;
}

export interface ConnectOptions {
  /** Base URL of the running sandbox, such as http://127.0.0.1:8460. */
  readonly url: string;
  /** Base URL of the control API, if the control API has its own port. */
  readonly controlUrl?: string | undefined;
  /** The token that a sandbox prints at its start if it listens on more than loopback addresses. */
  readonly token?: string | undefined;
}

/**
 * Connects to a sandbox that runs in another process or container. The first call sends the first request.
 * @throws TypeError for an invalid URL.
 * @example
 * const sandbox = connectSandbox({ url: 'http://127.0.0.1:8460' });
 * const account = await sandbox.createAccount({ name: 'Shop' });
 */
export function connectSandbox(options: ConnectOptions): Sandbox {
  const { url, controlUrl = url, token } = (options ?? {}) as ConnectOptions;
  for (const [name, address] of Object.entries({ url, controlUrl }))
    if (typeof address !== 'string' || !/^https?:/i.test(address) || !URL.canParse(address))
      throw new TypeError(
        `${name} of connectSandbox must be the base URL of a running sandbox, such as http://127.0.0.1:8460, got ${JSON.stringify(address)}.`,
      );
  const base = url.replace(/\/+$/, '');
  return sandboxClient(base, callThrough({ url: controlUrl, token }), (path, init) => fetch(new URL(path, `${base}/`), init));
}

export function sandboxClient(
  url: string,
  call: ControlCall,
  fetch: (path: string, init: RequestInit) => Promise<Response>,
): Sandbox {
  const made = ({ id, apiKey }: AccountDetails) => accountClient(call, fetch, { id, url, apiKey: apiKey ?? '' });
  const getAccount = async (id: string) => made(await call('getAccount', { path: { account: id } }));
  const createAccount = async (body?: AccountDescription, { ttl }: AccountOptions = {}) =>
    made(await call('addAccount', { body, query: ttl === undefined ? {} : { ttl } }));
  return {
    url,
    createAccount,
    getAccount,
    health: () => call('getHealth'),
    reset: async () => void (await call('reset')),
    snapshot: () => call('getSandboxSnapshot'),
    restore: async (body) => void (await call('putSandboxSnapshot', { body })),
  };
}
