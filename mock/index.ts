// A mock can be held with "await using", whose type a project has only when it asks for this part of the library.
/// <reference lib="esnext.disposable" preserve="true" />
import { type KeyHolder, refusedTo } from './admit.ts';
import { type AccountParts, partsOf } from './api/account.ts';
import { callThrough } from './api/call.ts';
import { type Accounts, accountsOf } from './api/sandbox.ts';
import type { Guard } from './control/guard.ts';
import type { Reply } from './control/handed.ts';
import { isForControl } from './control/is-for-control.ts';
import type { ServiceRequest } from './exchange.ts';
import type { FactsFile } from './facts/facts-file.ts';
import { fetchFrom, OWN_HOST } from './fetch.ts';
import { type Answerer, type Listener, listen } from './http.ts';
import { type Log, silent } from './log.ts';
import { isHost, isLoopback } from './loopback.ts';
import { Sandbox } from './sandbox.ts';
import type { StateFile } from './snapshot/state-file.ts';
import { type Dialect, differing } from './wire/dialects.ts';
import { Clock, freshSeed, secret } from './world.ts';
import type { World, WorldFile } from './world-file/description.ts';
import { defaultWorld } from './world-file/generated/default-world.ts';
import { withSampleCards } from './world-file/samples.ts';

export type { Account, AccountParts } from './api/account.ts';
export { SandboxError } from './api/call.ts';
export { verifySignature } from './effects/signature.ts';
export type { FactsFile } from './facts/facts-file.ts';
export type { WorldFile } from './world-file/description.ts';

export interface MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** 127.0.0.1 unless said otherwise. */
  readonly host?: string;
  /** False runs the mock without a socket: reach it through `fetch`. */
  readonly listen?: boolean;
  /** A world as a value, or the path of a world file; without it, the default world. */
  readonly world?: WorldFile | string;
  /**
   * What is known of a deployment where the specification leaves something open: readings of clauses, and rows for names that nobody foresaw; as a
   * value, or the path of a facts file. Without it, everything is as the contract is written.
   */
  readonly facts?: FactsFile | string;
  /** True chooses among the plausible readings of everything that is not known; the seed says which. */
  readonly vary?: boolean;
  /** Requests per minute and account: a number, or 'off'. Without it, as many as the service admits. */
  readonly rateLimit?: number | 'off';
  /** Makes ids, codes and sample people repeat; without it, every run has its own. */
  readonly seed?: number;
  /**
   * A file to go on from: loaded at the start when it is there, and written when the mock is closed. What it holds goes before `world`, `facts`, `vary` and
   * `seed`, which say what a reset goes back to.
   */
  readonly state?: string;
  /** Asked for at the control door when `host` reaches beyond this machine; without it, one is made. */
  readonly controlToken?: string;
  /** A port of its own for the control door, 0 for any free one; without it, the door is on the service's port under /__mock. */
  readonly controlPort?: number;
  /** False closes the control door: what is under /__mock is then answered as the service answers what it does not have. */
  readonly control?: boolean;
  /** Hosts besides those of this machine that webhooks may have with http://, such as one of a compose network. */
  readonly allowHttpWebhooks?: readonly string[];
}

/** A running mock. `clock`, `outbox` and the like are those of the account that `apiKey` belongs to. */
export interface Mock extends AccountParts, Accounts, AsyncDisposable {
  /** Base URL without a slash at the end, e.g. http://127.0.0.1:8460. Without a socket, a name that only `fetch` knows. */
  readonly url: string;
  /** A usable key of the first account that has one. */
  readonly apiKey: string;
  readonly seed: number;
  /** In how many clauses it was started otherwise than by default, and with how many rows of its own. */
  readonly spoken: { readonly differing: number; readonly ownRows: number };
  /** What the control door asks for in x-sandbox-token; undefined when only this machine is listened to. */
  readonly controlToken: string | undefined;
  /** Where the control door is: `url`, or the address of its own port. Undefined when it is closed. */
  readonly controlUrl: string | undefined;
  /** Every account of the world, with its usable key (null when it has none). */
  readonly accounts: readonly { readonly id: string; readonly plan: string; readonly apiKey: string | null }[];
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

/**
 * Starts a mock of the gift card service.
 * @throws TypeError for an option that it does not have; WorldFileError for a world, FactsError for facts, and StateFileError for a state file, that cannot be used; node's own error (EADDRINUSE, …) when it cannot listen.
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  return startLogged(options, silent);
}

/**
 * `startMock`, with a log; for the command.
 * @internal
 */
export async function startLogged(options: MockOptions, log: Log): Promise<Mock> {
  refuseUnknown(options);
  const seed = options.seed ?? freshSeed();
  const host = options.host ?? '127.0.0.1';
  const rateLimit = options.rateLimit === 'off' ? null : options.rateLimit;
  const sandbox = new Sandbox({
    world: await worldFrom(options.world, seed),
    seed,
    log,
    ...(options.facts === undefined && !options.vary ? {} : { dialect: await dialectFrom(options, seed) }),
    plainHttpHosts: (options.allowHttpWebhooks ?? []).map((host) => host.toLowerCase()),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  });
  const stateFile = options.state === undefined ? undefined : await stateFrom(options.state, sandbox);
  const guard: Guard = { hosts: [OWN_HOST], token: isLoopback(host) ? undefined : (options.controlToken ?? secret()) };
  const machine = new Clock();
  // Loaded for the first who comes, since a start does not need it.
  const atControlDoor = async (request: ServiceRequest) =>
    (await import('./control/control.ts')).control(sandbox, request, guard);
  const atControl: Answerer = (request) => atControlDoor(request).then((answer) => ({ answer, at: machine.now() }));
  const hasOwnPort = options.controlPort !== undefined;
  const isShared = options.control !== false && !hasOwnPort;
  const answerer: Answerer = (request) => {
    if (isShared && isForControl(request)) return atControl(request);
    const { answer, holder, fault } = sandbox.handle(request);
    return { answer, at: (holder?.account.clock ?? machine).now(), fault };
  };
  const listener = options.listen === false ? undefined : await listen(answerer, host, options.port ?? 0);
  const controlListener = hasOwnPort ? await listenBeside(listener, atControl, host, options.controlPort) : undefined;
  let isOpen = true;
  const close = async () => {
    const closing = Promise.all([listener?.close(), controlListener?.close()]);
    try {
      // Nobody can ask any more; what is under way is written as it is, before it is cut off.
      if (isOpen) stateFile?.save(sandbox);
    } finally {
      isOpen = false;
      await closing;
      await sandbox.close();
    }
  };
  // By this way the door is open to whoever holds the mock, whether its socket is or not.
  const call = callThrough(fetchFrom(atControl), `http://${OWN_HOST}`, guard.token);
  const asked = fetchFrom(answerer, (origin) => (hasOwnPort && origin === controlUrl ? atControl : answerer));
  const url = listener ? addressOf(listener) : `http://${OWN_HOST}`;
  const controlUrl = controlListener ? addressOf(controlListener) : isShared ? url : undefined;
  return {
    url,
    controlUrl,
    get apiKey() {
      const usable = usableHolder(sandbox);
      if (!usable)
        throw new Error(
          'No account of this world has a usable key; give one a key that is not deleted and a plan with API access.',
        );
      return usable.key.key;
    },
    get accounts() {
      return Array.from(sandbox.accounts.values(), ({ id, settings, keys }) => {
        return { id, plan: settings.plan, apiKey: keys.find(({ deleted }) => !deleted)?.key ?? null };
      });
    },
    get seed() {
      return sandbox.seed;
    },
    get spoken() {
      const { readings, ownRows } = sandbox.dialect;
      return { differing: differing(readings).length, ownRows: ownRows.length };
    },
    controlToken: guard.token,
    ...partsOf(call, usableHolder(sandbox)?.account.id ?? sandbox.accounts.keys().next().value ?? ''),
    ...accountsOf(call, asked),
    fetch: asked,
    settled: () => sandbox.settled(),
    reset: () => sandbox.reset(),
    snapshot: () => call('getSandboxSnapshot'),
    restore: async (body) => void (await call('putSandboxSnapshot', { body })),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Who holds the first key that may use the API. */
function usableHolder({ keyHolders }: Sandbox): KeyHolder | undefined {
  return Array.from(keyHolders.values()).find((holder) => !refusedTo(holder));
}

/** Listens for the control door as well; when it cannot, nothing is listened to. */
async function listenBeside(listener: Listener | undefined, answerer: Answerer, host: string, port = 0): Promise<Listener> {
  try {
    return await listen(answerer, host, port);
  } catch (error) {
    await listener?.close();
    throw error;
  }
}

function addressOf({ host, port }: Listener): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const OPTIONS = [
  'port',
  'host',
  'listen',
  'world',
  'facts',
  'vary',
  'rateLimit',
  'seed',
  'state',
  'controlToken',
  'controlPort',
  'control',
  'allowHttpWebhooks',
];

function refuseUnknown(options: MockOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new TypeError(`startMock has no option "${unknown}"; it has ${OPTIONS.join(', ')}.`);
  if (options.controlPort !== undefined && options.control === false)
    throw new TypeError('control is false, which closes the door that controlPort is for; leave one of the two out.');
  if (options.controlPort !== undefined && options.listen === false)
    throw new TypeError('listen is false, so there is no controlPort; leave one of the two out.');
  const { rateLimit, allowHttpWebhooks = [] } = options;
  const wrong = [allowHttpWebhooks].flat().find((host) => typeof host !== 'string' || !isHost(host));
  if (wrong !== undefined || !Array.isArray(allowHttpWebhooks))
    throw new TypeError(
      `allowHttpWebhooks is a list of host names without scheme and port, not ${JSON.stringify(wrong ?? allowHttpWebhooks)}.`,
    );
  if (rateLimit === undefined || rateLimit === 'off' || (Number.isInteger(rateLimit) && rateLimit > 0)) return;
  throw new TypeError(`rateLimit is a whole number from 1, or 'off', not ${JSON.stringify(rateLimit)}.`);
}

/** Loaded here, so that nothing has to be loaded at the end. */
async function stateFrom(path: string, sandbox: Sandbox): Promise<StateFile> {
  const { StateFile } = await import('./snapshot/state-file.ts');
  const file = new StateFile(path);
  await file.load(sandbox);
  sandbox.stateFile = file;
  return file;
}

/** What reads facts and makes contracts of them is loaded only when there are some. */
async function dialectFrom({ facts: given, vary = false }: MockOptions, seed: number): Promise<Dialect> {
  const { startingDialect } = await import('./facts/start.ts');
  return startingDialect(given, vary ? seed : undefined);
}

async function worldFrom(given: MockOptions['world'], seed: number): Promise<World> {
  const world = given === undefined ? defaultWorld : await described(given);
  return { accounts: await Promise.all(world.accounts.map((account) => withSampleCards(account, seed))) };
}

/** The reader and its validator are loaded only when there is something to read. */
async function described(given: WorldFile | string): Promise<World> {
  const { readWorldFile, worldOf } = await import('./world-file/read.ts');
  return typeof given === 'string' ? readWorldFile(given) : worldOf(given);
}
