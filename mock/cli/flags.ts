import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { LogFormat } from '../server/log.ts';
import { isHost } from '../server/loopback.ts';
import { type MockOptions, ranges } from '../server/options.ts';
import { DEFAULT_PORT, type Environment, fromEnvironment, parseFlags, twin, UsageError } from './command-line.ts';

/** The command's settings, from flags and their twins in the environment; a flag wins. */
export interface Flags extends Omit<MockOptions, 'listen'> {
  readonly port: number;
  readonly host: string;
  readonly logFormat: LogFormat;
  readonly quiet: boolean;
  /** Where the conformance suite's profile of this mock is written. */
  readonly writeProfile: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

const explained: readonly (readonly [flag: string, value: string, text: string])[] = [
  ['port', 'N', `port to listen on, 0 for any free one (${DEFAULT_PORT})`],
  ['host', 'ADDRESS', 'address to listen on (127.0.0.1)'],
  ['world', 'FILE', 'accounts and records to start with, YAML or JSON (the default world)'],
  ['facts', 'FILE', 'what is known of a deployment where the specification leaves something open, YAML or JSON (the defaults)'],
  ['vary', '', 'leaves open what is not known: the seed chooses among all plausible behaviors'],
  ['rate-limit', 'N|off', `requests per minute and account (the service's ${clauseValues['limits.rate-admits']})`],
  ['seed', 'N', 'makes ids, codes and sample people repeat (a fresh one, printed)'],
  ['state', 'FILE', 'goes on from this file when it is there, and writes it when the mock is stopped (nothing is kept)'],
  ['write-profile', 'FILE', 'writes what the conformance suite may know of this mock, for its --profile (nothing is written)'],
  ['control-token', 'TEXT', 'asked for at the control door when --host reaches beyond this machine (a fresh one, printed)'],
  ['control-port', 'N', 'a port of its own for the control door, 0 for any free one (the same port, under /__mock)'],
  ['no-control', '', 'no control door: /__mock is answered as the service answers what it does not have'],
  [
    'allow-http-webhooks',
    'HOST',
    'takes http:// webhooks at HOST, as of a compose network; more with commas, or once more (loopback only)',
  ],
  ['log-format', 'text|json', 'how requests and deliveries are logged on stderr (text)'],
  ['quiet', '', 'no log of requests and deliveries'],
  ['help', '', 'this text'],
  ['version', '', 'the version'],
];

export const help = `Usage: giftcard-sandbox mock [flags]

Runs a sandbox of the gift card service. The first line on stdout is its base URL.

${explained.map(([flag, value, text]) => `  --${`${flag} ${value}`.padEnd(26)}${text}`).join('\n')}

Each flag that takes a value, --vary, --quiet and --no-control can be set in the environment as well: --rate-limit off is ${twin('rate-limit')}=off.
What --state goes on from comes before --world, --facts, --vary and --seed, which say what a reset goes back to. The file is written at the end only, and at
POST /__mock/state: what happened since then is lost when the process is killed.
Exit codes: 0 stopped by Ctrl-C or SIGTERM; 2 a flag, a file or the address cannot be used; 6 a fault of the sandbox itself.
`;

/** @throws UsageError */
export function readFlags(argv: readonly string[], env: Environment): Flags {
  const { text, whole, oneOf, set, asked, hosts } = readersOf(parsed(argv), env);
  const controlPort = whole('control-port', ranges.controlPort);
  const control = !set('no-control');
  if (controlPort !== undefined && !control)
    throw new UsageError('--no-control closes the door that --control-port is for; leave one of the two out.');
  const port = whole('port', ranges.port) ?? DEFAULT_PORT;
  if (port !== 0 && port === controlPort)
    throw new UsageError(`--port and --control-port are both ${port}; give the control door another, or 0 for any free one.`);
  return {
    port,
    host: text('host') ?? '127.0.0.1',
    world: text('world'),
    facts: text('facts'),
    vary: set('vary'),
    rateLimit: text('rate-limit') === 'off' ? 'off' : whole('rate-limit', ranges.rateLimit, ' or off'),
    seed: whole('seed', ranges.seed),
    state: text('state'),
    writeProfile: text('write-profile'),
    controlToken: text('control-token'),
    controlPort,
    control,
    allowHttpWebhooks: hosts('allow-http-webhooks'),
    logFormat: oneOf('log-format', ['text', 'json']) ?? 'text',
    quiet: set('quiet'),
    help: asked('help'),
    version: asked('version'),
  };
}

/** What reads a flag or its twin, by the kind of value that it takes; each throws UsageError for another value. */
function readersOf(given: ReturnType<typeof parsed>, env: Environment) {
  const value = (flag: string) => {
    const each = given[flag];
    const fromFlag = Array.isArray(each) ? each.join(',') : each;
    if (fromFlag === '') throw new UsageError(`--${flag} is empty; give it a value, or leave it out.`);
    if (typeof fromFlag === 'string') return { text: fromFlag, name: `--${flag}` };
    const text = fromEnvironment(flag, env);
    return text === undefined ? undefined : { text, name: twin(flag) };
  };
  const text = (flag: string) => value(flag)?.text;
  const whole = (flag: string, [from, to]: readonly [number, number], or = '') => {
    const found = value(flag);
    if (!found) return undefined;
    const number = /^\d+$/.test(found.text) ? Number(found.text) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new UsageError(`${found.name} takes a whole number from ${from} to ${to}${or}, not "${found.text}".`);
  };
  const oneOf = <T extends string>(flag: string, choices: readonly T[]) => {
    const found = value(flag);
    const choice = choices.find((each) => each === found?.text);
    if (found && !choice) throw new UsageError(`${found.name} takes ${choices.join(' or ')}, not "${found.text}".`);
    return choice;
  };
  const asked = (flag: string) => given[flag] === true;
  const set = (flag: string) => asked(flag) || ['1', 'true'].includes(oneOf(flag, ['1', 'true', '0', 'false']) ?? '');
  const hosts = (flag: string) => {
    const found = value(flag);
    const names = (found?.text ?? '').split(',').flatMap((each) => each.trim().toLowerCase() || []);
    const wrong = names.find((each) => !isHost(each));
    if (wrong === undefined) return names;
    throw new UsageError(
      `${found?.name} takes host names such as receiver or shop.internal, without scheme and port, not "${wrong}".`,
    );
  };
  return { text, whole, oneOf, asked, set, hosts };
}

const REPEATABLE = ['allow-http-webhooks'];

function parsed(argv: readonly string[]) {
  const options = Object.fromEntries(
    explained.map(([flag, value]) => [
      flag,
      { type: value === '' ? ('boolean' as const) : ('string' as const), multiple: REPEATABLE.includes(flag) },
    ]),
  );
  return parseFlags('mock', options, argv);
}
