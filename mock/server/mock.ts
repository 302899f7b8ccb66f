// A mock can be held with "await using", whose type a project has only when it asks for this part of the library.
/// <reference lib="esnext.disposable" preserve="true" />
import type { AccountParts } from '../client/account.ts';
import type { Accounts } from '../client/sandbox.ts';
import type { Reply } from '../control/handed.ts';
import type { MockProfile } from './profile.ts';

/** A running mock. `clock`, `outbox` and the like are those of the account that `apiKey` belongs to. */
export interface Mock extends AccountParts, Accounts, AsyncDisposable {
  /** Base URL without a slash at the end, e.g. http://127.0.0.1:8460. Without a socket, a name that only `fetch` knows. */
  readonly url: string;
  /** A usable key of the first account that has one. */
  readonly apiKey: string;
  readonly seed: number;
  /** In how many clauses it was started otherwise than by default, and with how many rows of its own. */
  readonly spoken: { readonly differing: number; readonly ownRows: number };
  /** The state file, and whether the mock went on from it or began anew; undefined without one. */
  readonly state: { readonly path: string; readonly wasThere: boolean } | undefined;
  /** What the control door asks for in x-sandbox-token; undefined when only this machine is listened to. */
  readonly controlToken: string | undefined;
  /** Where the control door is: `url`, or the address of its own port. Undefined when it is closed. */
  readonly controlUrl: string | undefined;
  /** Every account of the world, with its usable key (null when it has none). */
  readonly accounts: readonly { readonly id: string; readonly plan: string; readonly apiKey: string | null }[];
  /** What the conformance suite may know of the account that `apiKey` belongs to: its profile, as it stands now. */
  profile(): MockProfile;
  /** Asks the mock without going over a socket; the address's path and query count, its host only where it is that of `controlUrl`. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /** Resolves once everything that was caused so far has happened: channel pushes, emails, webhook deliveries. */
  settled(): Promise<void>;
  /** Back to the start: accounts and records as the world describes them. */
  reset(): void;
  /** Everything as it stands, all accounts, as a JSON value that can be kept in a file. */
  snapshot(): Promise<Reply<'getSandboxSnapshot'>>;
  restore(snapshot: Reply<'getSandboxSnapshot'>): Promise<void>;
  close(): Promise<void>;
}
