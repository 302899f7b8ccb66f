import type { Reply } from '../control/operation-types.ts';
import type { AccountFile } from '../world/description.ts';
import { type Account, accountOf } from './account.ts';
import { type Call, callThrough } from './call.ts';
import { said } from './input.ts';

/** All accounts of a running sandbox. */
export interface Accounts {
  /** A fresh account: like the default world's first, or as described. `ttl` is how long it lives, in real time: PT10M or 10m. */
  account(description?: AccountFile, options?: { readonly ttl?: string | undefined }): Promise<Account>;
  /** The account with this id. */
  account(id: string): Promise<Account>;
}

export interface ConnectedSandbox extends Accounts {
  readonly url: string;
  health(): Promise<Reply<'getHealth'>>;
  /** Everything as it was at the start; accounts that were added are gone. */
  reset(): Promise<void>;
  snapshot(): Promise<Reply<'getSandboxSnapshot'>>;
  restore(snapshot: Reply<'getSandboxSnapshot'>): Promise<void>;
}

export interface ConnectOptions {
  /** Base URL of the running sandbox, such as http://127.0.0.1:8460. */
  readonly url: string;
  /** Where its control API is, when that has a port of its own. */
  readonly controlUrl?: string;
  /** Printed at the start of a sandbox that listens to more than this machine. */
  readonly token?: string;
}

/**
 * Holds a sandbox that runs elsewhere, as another process or container: for tests in several processes that share one.
 * @throws TypeError for what is no address.
 */
export function connectSandbox(options: ConnectOptions): ConnectedSandbox {
  const { url, controlUrl = url, token } = (options ?? {}) as ConnectOptions;
  for (const [name, address] of Object.entries({ url, controlUrl }))
    if (typeof address !== 'string' || !/^https?:/i.test(address) || !URL.canParse(address))
      throw new TypeError(
        `connectSandbox takes the base URL of a running sandbox, such as http://127.0.0.1:8460, as ${name}, not ${said(address)}.`,
      );
  const base = url.replace(/\/+$/, '');
  const call = callThrough({ url: controlUrl, token });
  return {
    url: base,
    ...accountsOf(call, (path, init) => fetch(new URL(path, `${base}/`), init)),
    health: () => call('getHealth'),
    reset: async () => void (await call('reset')),
    snapshot: () => call('getSandboxSnapshot'),
    restore: async (body) => void (await call('putSandboxSnapshot', { body })),
  };
}

export function accountsOf(call: Call, ask: (path: string, init: RequestInit) => Promise<Response>): Accounts {
  return {
    account: async (given?: AccountFile | string, { ttl }: { readonly ttl?: string | undefined } = {}) => {
      const { id, apiKey } =
        typeof given === 'string'
          ? await call('getAccount', { path: { account: given } })
          : await call('addAccount', {
              ...(given === undefined ? {} : { body: given }),
              ...(ttl === undefined ? {} : { query: { ttl } }),
            });
      return accountOf(call, ask, id, apiKey ?? '');
    },
  };
}
