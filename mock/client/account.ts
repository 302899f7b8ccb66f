import type { Reply } from '../control/operation-types.ts';
import type { Call } from './call.ts';
import { type Clock, clockOf } from './clock.ts';
import { type Deliveries, deliveriesOf, type Email, type NotSent, outboxOf, suppressedOf, type Told } from './effects.ts';
import { inOneLine } from './in-one-line.ts';
import type { Query } from './input.ts';
import { type Behaviors, type Channels, controlMethods, type Dashboard, type Faults, type Journal } from './methods.ts';

/** What belongs to one account, as a test holds it. Whatever the sandbox refuses is rejected with a SandboxError, and nothing has changed. */
export interface AccountParts {
  readonly clock: Clock;
  /** Emails that would have been sent. */
  readonly outbox: Told<Email, Query<'listEmails'>>;
  /** Webhook deliveries, and what became of each. */
  readonly deliveries: Deliveries;
  /** What was not sent, with the clause that says so. */
  readonly suppressed: Told<NotSent, Query<'listSuppressed'>>;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly channels: Channels;
  readonly dashboard: Dashboard;
  /** Which reading of each open clause the account has. */
  readonly behaviors: Behaviors;
}

/** An account of the sandbox; nothing is shared between two. */
export interface Account extends AccountParts {
  readonly id: string;
  /** A usable key, to be sent as x-api-key. Empty where the account had none. */
  readonly apiKey: string;
  /** Asks the service with the account's key and, for a text, the content type of JSON, unless the request carries others. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  describe(): Promise<Reply<'getAccount'>>;
  /** Resolves once everything that is due has happened and all that it caused has left and was answered. */
  settled(): Promise<void>;
  /** Back to how the account was made. */
  reset(): Promise<void>;
  /** All of the account as it stands, as a JSON value that can be kept in a file. */
  snapshot(): Promise<Reply<'getAccountSnapshot'>>;
  restore(snapshot: Reply<'getAccountSnapshot'>): Promise<void>;
  remove(): Promise<void>;
}

export function partsOf(call: Call, id: string): AccountParts {
  const path = { account: id };
  return {
    clock: clockOf(call, path),
    outbox: outboxOf(call, path),
    deliveries: deliveriesOf(call, path),
    suppressed: suppressedOf(call, path),
    journal: controlMethods(call, id, 'journal'),
    faults: controlMethods(call, id, 'faults'),
    channels: controlMethods(call, id, 'channels'),
    dashboard: controlMethods(call, id, 'dashboard'),
    behaviors: controlMethods(call, id, 'behaviors'),
  };
}

/** `ask` reaches the service by path. */
export function accountOf(
  call: Call,
  ask: (path: string, init: RequestInit) => Promise<Response>,
  id: string,
  apiKey: string,
): Account {
  const path = { account: id };
  const account: Account = {
    ...partsOf(call, id),
    id,
    apiKey,
    fetch: (target, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('x-api-key') && apiKey !== '') headers.set('x-api-key', apiKey);
      if (!headers.has('content-type') && typeof init.body === 'string') headers.set('content-type', 'application/json');
      return ask(target, { ...init, headers });
    },
    describe: () => call('getAccount', { path }),
    settled: async () => void (await call('settleAccount', { path })),
    reset: async () => void (await call('resetAccount', { path })),
    snapshot: () => call('getAccountSnapshot', { path }),
    restore: async (body) => void (await call('putAccountSnapshot', { path, body })),
    remove: async () => void (await call('removeAccount', { path })),
  };
  return inOneLine(account, () => `Account ${id} (x-api-key: ${apiKey || 'none that is usable'})`);
}
