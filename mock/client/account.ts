import type {
  AccountMethods,
  BehaviorsMethods,
  Channels,
  ClockMethods,
  Faults,
  Journal,
  Merchant,
} from '../control/generated/client.ts';
import type { ControlGroups } from '../control/generated/groups.ts';
import { operationTable } from '../control/generated/operations.ts';
import type { ClockAdvance, ClockChange, operations } from '../control/generated/types.ts';
import type { ControlCall } from './call.ts';
import { type Deliveries, type Outbox, type Suppressed, withWaiting } from './effect-lists.ts';
import { type Time, timeText } from './values.ts';

/** An account's clock: real, frozen, or running from a set time. A clock never goes back. */
export interface Clock extends ClockMethods {
  /** Stops the clock. With `at`, first sets the clock to this later time. */
  freeze(at?: Time): Promise<ClockChange>;
  /** Runs the clock at the speed of the system clock. With `at`, first sets the clock to this later time. */
  run(at?: Time): Promise<ClockChange>;
  /** Sets the clock to the system time, and follows the system clock again. */
  follow(): Promise<ClockChange>;
  /**
   * Advances the clock, and runs every due event at its own time. Resolves with the events and their effects, the last 1,000.
   * @param by - A duration such as `P1D`, `PT90S`, `90s` or `300ms`, or the time to advance to.
   * @throws SandboxError with status 409 for a time before the clock's present time.
   * @example
   * const { events } = await account.clock.advance('P31D');
   */
  advance(by: string | { readonly to: Time }): Promise<ClockAdvance>;
}

/** The parts of an account that tests use. If the control API refuses a call, the call rejects with SandboxError and changes nothing. */
export interface AccountParts {
  readonly clock: Clock;
  /** Emails that the service would have sent. */
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  /** Emails and deliveries that a rule suppressed. */
  readonly suppressed: Suppressed;
  readonly journal: Journal;
  /** Faults of requests and deliveries, with verdicts on the reactions. */
  readonly faults: Faults;
  readonly channels: Channels;
  readonly merchant: Merchant;
  readonly behaviors: BehaviorsMethods;
}

/** An account of the sandbox. Accounts share nothing. */
export interface Account extends AccountParts, AccountMethods {
  /** The ID in the control API. */
  readonly id: string;
  /** Base URL of the service, for the client that you test. */
  readonly url: string;
  /** A usable key for x-api-key. Empty if the account had none. */
  readonly apiKey: string;
  /**
   * Calls the service. Default headers: the account's key, and the content type of JSON for a text body. A refusal of the service is a response, not
   * an error.
   * @example
   * const response = await account.fetch('/api/GiftCard/Create', { method: 'POST', body: JSON.stringify({ balance: 25 }) });
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export function partsOf(call: ControlCall, id: string): AccountParts {
  return {
    clock: clockOf(call, id),
    outbox: withWaiting(call, id, controlMethods(call, id, 'outbox')),
    deliveries: withWaiting(call, id, controlMethods(call, id, 'deliveries')),
    suppressed: withWaiting(call, id, controlMethods(call, id, 'suppressed')),
    journal: controlMethods(call, id, 'journal'),
    faults: controlMethods(call, id, 'faults'),
    channels: controlMethods(call, id, 'channels'),
    merchant: controlMethods(call, id, 'merchant'),
    behaviors: controlMethods(call, id, 'behaviors'),
  };
}

function clockOf(call: ControlCall, account: string): Clock {
  const path = { account };
  const set = async (mode: 'frozen' | 'running', at: Time | undefined) =>
    call('setClock', { path, body: at === undefined ? { mode } : { mode, at: timeText(at) } });
  return {
    ...controlMethods(call, account, 'clock'),
    freeze: (at) => set('frozen', at),
    run: (at) => set('running', at),
    follow: () => call('setClock', { path, body: { mode: 'real' } }),
    advance: async (by) => {
      if (typeof by === 'string') return call('advanceClock', { path, body: { by } });
      if (by?.to === undefined)
        throw new TypeError(`advance takes a duration such as "P1D", or { to: a time }, got ${JSON.stringify(by)}.`);
      return call('advanceClock', { path, body: { to: timeText(by.to) } });
    },
  };
}

export function accountClient(
  call: ControlCall,
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  { id, url, apiKey }: Pick<Account, 'id' | 'url' | 'apiKey'>,
): Account {
  return {
    ...partsOf(call, id),
    ...controlMethods(call, id, 'account'),
    id,
    url,
    apiKey,
    fetch: (target, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('x-api-key') && apiKey !== '') headers.set('x-api-key', apiKey);
      if (!headers.has('content-type') && typeof init.body === 'string') headers.set('content-type', 'application/json');
      return fetch(target, { ...init, headers });
    },
  };
}

type OperationInTable = keyof typeof operationTable & keyof operations;

/** Makes the methods of a group from the control API's document: `x-client: merchant.addCard` makes `account.merchant.addCard(…)`. */
function controlMethods<Group extends keyof ControlGroups>(
  call: ControlCall,
  account: string,
  group: Group,
): ControlGroups[Group] {
  const methods = Object.entries(operationTable).flatMap(([id, { path, last, client }]) => {
    const [first, method] = client.split('.');
    if (first !== group || method === undefined) return [];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'account');
    const send = async (...values: unknown[]) => {
      const inPath = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const rest = last === '' ? {} : { [last]: values[names.length] };
      return call(id as OperationInTable, { path: { account, ...inPath }, ...rest } as object);
    };
    return [[method, send]];
  });
  return Object.fromEntries(methods) as ControlGroups[Group];
}
