import type { VariantFile } from '../../openapi/effective/variant.ts';
import { isHost } from '../domain/webhooks.ts';
import type { WorldFile } from '../world/description.ts';

/** The smallest and the largest value of each numeric option, and of the flag with the same name. */
export const ranges = {
  port: [0, 65_535],
  controlPort: [0, 65_535],
  seed: [0, 2 ** 31 - 1],
  rateLimit: [1, 1_000_000],
} as const;

export interface MockOptions {
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** False runs the mock without a socket. Then only `fetch` reaches the mock. */
  readonly listen?: boolean | undefined;
  /** A world, or the path of a world file. Default: the default world. */
  readonly world?: WorldFile | string | undefined;
  /** Behaviors of questions and overrides of the contract, as a value or as paths of files. A later file wins. Default: the contract as written. */
  readonly variant?: VariantFile | string | readonly string[] | undefined;
  /** True picks a random behavior for every question that is not set. The same seed repeats the choice. */
  readonly vary?: boolean | undefined;
  /** Requests per minute and account, or 'off'. Default: the service's limit. */
  readonly rateLimit?: number | 'off' | undefined;
  /** The seed of IDs, codes and sample people: equal seeds give equal values. Default: a new seed for every run. */
  readonly seed?: number | undefined;
  /**
   * A folder that keeps the state, also if the process is killed (needs the package classic-level), or the URL of a PostgreSQL database that several
   * mocks share (needs the package pg). If there is a state, `world`, `variant`, `vary` and `seed` apply only after a reset.
   */
  readonly state?: string | undefined;
  /** For a folder: 'commit' waits until each change is on the disk, so that it survives a power failure. Default: 'off'. */
  readonly stateSync?: 'off' | 'commit' | undefined;
  /** The token that the control API requires if `host` is not a loopback address. Default: a new token. */
  readonly controlToken?: string | undefined;
  /** The origin of the links in cards, emails and deliveries, such as https://cards.example.com. Default: the base URL of the mock. */
  readonly publicUrl?: string | undefined;
  /** A separate port for the control API; 0 for any free port. Default: the service's port, under /__mock. */
  readonly controlPort?: number | undefined;
  /** False turns the control API off: the service responds to /__mock as to any unknown path. */
  readonly control?: boolean | undefined;
  /** Host names under which a mock on loopback responds, in addition to loopback names and the host of `publicUrl`. The control API keeps to loopback names. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Hosts at which webhooks may use http://, in addition to loopback addresses. */
  readonly allowHttpWebhooks?: readonly string[] | undefined;
}

const names =
  'port host listen world variant vary rateLimit seed state stateSync controlToken publicUrl controlPort control allowHosts allowHttpWebhooks'.split(
    ' ',
  );

/** Throws TypeError for options that cannot be used. */
export function mustBeUsable(options: MockOptions): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`startMock has no option "${unknown}"; the options are ${names.join(', ')}.`);
  const {
    port,
    publicUrl,
    controlToken,
    controlPort,
    control,
    listen,
    seed,
    rateLimit,
    state,
    stateSync,
    allowHosts = [],
    allowHttpWebhooks = [],
  } = options;
  if (state !== undefined && (typeof state !== 'string' || state === ''))
    throw new TypeError(`state must be the path of a folder, got ${JSON.stringify(state)}; omit state to keep nothing.`);
  if (stateSync !== undefined && (!['off', 'commit'].includes(stateSync) || state === undefined || isPostgres(state)))
    throw new TypeError(`stateSync must be 'off' or 'commit', with a folder as state, got ${JSON.stringify(stateSync)}.`);
  if (controlToken !== undefined && !isToken(controlToken))
    throw new TypeError(`controlToken must be a secret text, got ${JSON.stringify(controlToken)}; omit it for a new token.`);
  if (publicUrl !== undefined && !isOrigin(publicUrl))
    throw new TypeError(
      `publicUrl must be a URL without path, such as https://cards.example.com, got ${JSON.stringify(publicUrl)}.`,
    );
  if (controlPort !== undefined && (control === false || listen === false))
    throw new TypeError('controlPort contradicts control: false and listen: false; omit controlPort, or the other option.');
  for (const [name, value] of Object.entries({ port, controlPort, seed })) mustBeWithin(name as keyof typeof ranges, value);
  if (rateLimit !== 'off') mustBeWithin('rateLimit', rateLimit, " or 'off'");
  for (const [name, value] of Object.entries({ allowHosts, allowHttpWebhooks }))
    if (!Array.isArray(value) || !value.every(isHost))
      throw new TypeError(`${name} must be a list of host names without scheme and port, got ${JSON.stringify(value)}.`);
}

export function isPostgres(state: string | undefined): state is string {
  return state !== undefined && /^postgres(ql)?:/.test(state);
}

/** Returns false for the texts that come from a variable without a value. */
export function isToken(value: unknown): boolean {
  return typeof value === 'string' && !/^(undefined|null|\s*)$/i.test(value);
}

export function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

function mustBeWithin(name: keyof typeof ranges, value: number | undefined, orElse = ''): void {
  const [from, to] = ranges[name];
  if (value === undefined || (Number.isInteger(value) && value >= from && value <= to)) return;
  throw new TypeError(`${name} must be a whole number from ${from} to ${to}${orElse}, got ${JSON.stringify(value)}.`);
}
