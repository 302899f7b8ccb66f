import type { FactsFile } from '../variant/facts-file.ts';
import type { WorldFile } from '../world/description.ts';
import { isHost } from './loopback.ts';

/** The least and the most that may be meant, also by the flags of these names. Nobody tests with more requests per minute. */
export const ranges = {
  port: [0, 65_535],
  controlPort: [0, 65_535],
  seed: [0, 2 ** 31 - 1],
  rateLimit: [1, 1_000_000],
} as const;

/** How a mock is started. */
export interface MockOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 unless said otherwise. */
  readonly host?: string | undefined;
  /** False runs the mock without a socket: reach it through `fetch`. */
  readonly listen?: boolean | undefined;
  /** A world as a value, or the path of a world file; without it, the default world. */
  readonly world?: WorldFile | string | undefined;
  /**
   * What is known of a deployment where the specification leaves something open: behaviors of clauses, and rows for names that nobody foresaw; as a
   * value, or the path of a facts file. Without it, everything is as the contract is written.
   */
  readonly facts?: FactsFile | string | undefined;
  /** True chooses among the plausible behaviors of everything that is not known; the seed says which. */
  readonly vary?: boolean | undefined;
  /** Requests per minute and account: a number, or 'off'. Without it, as many as the service admits. */
  readonly rateLimit?: number | 'off' | undefined;
  /** Makes ids, codes and sample people repeat; without it, every run has its own. */
  readonly seed?: number | undefined;
  /**
   * A file to go on from: loaded at the start when it is there, and written when the mock is closed. What it holds goes before `world`, `facts`, `vary` and
   * `seed`, which say what a reset goes back to.
   */
  readonly state?: string | undefined;
  /** Asked for at the control door when `host` reaches beyond this machine; without it, one is made. */
  readonly controlToken?: string | undefined;
  /** A port of its own for the control door, 0 for any free one; without it, the door is on the service's port under /__mock. */
  readonly controlPort?: number | undefined;
  /** False closes the control door: what is under /__mock is then answered as the service answers what it does not have. */
  readonly control?: boolean | undefined;
  /** Hosts besides those of this machine that webhooks may have with http://, such as one of a compose network. */
  readonly allowHttpWebhooks?: readonly string[] | undefined;
}

/** Every option; one that is missing here does not compile. */
const known: { readonly [name in keyof MockOptions]-?: true } = {
  port: true,
  host: true,
  listen: true,
  world: true,
  facts: true,
  vary: true,
  rateLimit: true,
  seed: true,
  state: true,
  controlToken: true,
  controlPort: true,
  control: true,
  allowHttpWebhooks: true,
};

/** Throws TypeError, with a sentence, for what cannot be meant. */
export function mustBeUsable(options: MockOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new TypeError(`startMock has no option "${unknown}"; it has ${Object.keys(known).join(', ')}.`);
  if (options.controlPort !== undefined && options.control === false)
    throw new TypeError('control is false, which closes the door that controlPort is for; leave one of the two out.');
  if (options.controlPort !== undefined && options.listen === false)
    throw new TypeError('listen is false, so there is no controlPort; leave one of the two out.');
  const { port, controlPort } = options;
  for (const name of ['port', 'controlPort', 'seed'] as const) mustBeWithin(name, options[name]);
  if (port !== undefined && options.listen === false)
    throw new TypeError('listen is false, so there is no port; leave one of the two out.');
  if (port !== undefined && port !== 0 && port === controlPort)
    throw new TypeError(`port and controlPort are both ${port}; give the control door another, or 0 for any free one.`);
  const { rateLimit, allowHttpWebhooks = [] } = options;
  const wrong = [allowHttpWebhooks].flat().find((host) => typeof host !== 'string' || !isHost(host));
  if (wrong !== undefined || !Array.isArray(allowHttpWebhooks))
    throw new TypeError(
      `allowHttpWebhooks is a list of host names without scheme and port, not ${JSON.stringify(wrong ?? allowHttpWebhooks)}.`,
    );
  if (rateLimit !== 'off') mustBeWithin('rateLimit', rateLimit, ", or 'off'");
}

function mustBeWithin(name: keyof typeof ranges, value: number | undefined, or = ''): void {
  const [from, to] = ranges[name];
  if (value === undefined || (Number.isInteger(value) && value >= from && value <= to)) return;
  throw new TypeError(`${name} is a whole number from ${from} to ${to}${or}, not ${JSON.stringify(value)}.`);
}
