// "await using" needs the types of this library.
/// <reference lib="esnext.disposable" preserve="true" />
import type { JsonObject } from '../../openapi/document.ts';
import type { AccountParts } from '../client/account.ts';
import type { Sandbox } from '../client/sandbox.ts';

/** A running mock. `clock`, `outbox` and the other parts belong to the account of `apiKey`. */
export interface Mock extends AccountParts, Sandbox, AsyncDisposable {
  /** Base URL without a slash at the end, such as http://127.0.0.1:8460. Without a socket, only `fetch` reaches this host. */
  readonly url: string;
  /** A key that can use the API, of the first account that has such a key. */
  readonly apiKey: string;
  readonly seed: number;
  /** The number of behaviors that differ from the default, and of overrides. */
  readonly variant: { readonly differing: number; readonly overrides: number };
  /** The state file. `wasThere` is true if the file existed at the start. Undefined without a state file. */
  readonly state: { readonly path: string; readonly wasThere: boolean } | undefined;
  /** The token that the control API requires in x-sandbox-token; undefined if the mock listens on a loopback address. */
  readonly controlToken: string | undefined;
  /** The address of the dashboard; undefined if the control API is off. If there is a token, the address signs one browser in, once. */
  readonly dashboardUrl: string | undefined;
  /** The address of the control API, which may have its own port; undefined if the control API is off. */
  readonly controlUrl: string | undefined;
  /** Every account. `apiKey` is a key that can use the API; null if the account has no such key. */
  readonly accounts: readonly {
    readonly id: string;
    readonly plan: string;
    readonly currency: string;
    readonly apiKey: string | null;
  }[];
  /** Returns a profile for the conformance suite, which describes the account of `apiKey`. docs/recipes/conformance/profile.md explains the entries. */
  profile(): JsonObject;
  /** Sends a request to the mock without a socket. A URL with the host of `controlUrl` reaches the control API. Every other URL reaches the service. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Resolves after all effects so far are complete: channel pushes, emails, webhook deliveries. */
  settled(): Promise<void>;
  /** Stops the mock. Running deliveries are stopped, and all changes are in the state folder. A second call has no effect. */
  close(): Promise<void>;
}
