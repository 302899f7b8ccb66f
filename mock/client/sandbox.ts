import type { Reply } from '../control/operation-types.ts';
import type { AccountFile } from '../world/description.ts';
import { type Account, accountOf } from './account.ts';
import { type Call, type ControlOptions, callThrough } from './call.ts';

/** Adds and finds accounts of a running sandbox. */
export interface Accounts {
  /** Adds an account. Default: a copy of the default world's first account. `ttl` is the account's lifetime in real time: PT10M or 10m. */
  account(description?: AccountFile, options?: { readonly ttl?: string | undefined }): Promise<Account>;
  account(id: string): Promise<Account>;
}

export interface ConnectedSandbox extends Accounts {
  readonly url: string;
  health(): Promise<Reply<'getHealth'>>;
  /** Restores everything as it was at the start, and removes added accounts. */
  reset(): Promise<void>;
  snapshot(): Promise<Reply<'getSandboxSnapshot'>>;
  restore(snapshot: Reply<'getSandboxSnapshot'>): Promise<void>;
}

export interface ConnectOptions extends Pick<ControlOptions, 'token'> {
  /** Base URL of the running sandbox, such as http://127.0.0.1:8460. */
  readonly url: string;
  /** Base URL of the control API, if the control API has its own port. */
  readonly controlUrl?: string;
}

/**
 * Connects to a sandbox that runs in another process or container.
 * @throws TypeError for an invalid URL.
 */
export function connectSandbox(options: ConnectOptions): ConnectedSandbox {
  const { url, controlUrl = url, token } = (options ?? {}) as ConnectOptions;
  for (const [name, address] of Object.entries({ url, controlUrl }))
    if (typeof address !== 'string' || !/^https?:/i.test(address) || !URL.canParse(address))
      throw new TypeError(
        `${name} of connectSandbox must be the base URL of a running sandbox, such as http://127.0.0.1:8460, got ${JSON.stringify(address)}.`,
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

export function accountsOf(call: Call, fetch: (path: string, init: RequestInit) => Promise<Response>): Accounts {
  return {
    account: async (given?: AccountFile | string, { ttl }: { readonly ttl?: string | undefined } = {}) => {
      const { id, apiKey } =
        typeof given === 'string'
          ? await call('getAccount', { path: { account: given } })
          : await call('addAccount', { body: given, query: ttl === undefined ? {} : { ttl } });
      return accountOf(call, fetch, id, apiKey ?? '');
    },
  };
}
