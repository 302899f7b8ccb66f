import { isHost } from '../../mock/domain/webhooks.ts';
import { isOrigin, isPostgres, isToken, type MockOptions, ranges } from '../../mock/server/options.ts';
import { ruleValues } from '../../openapi/generated/rules.ts';
import { byOption, choice, type Flag, files, text, toggle, type Values, wholeNumber, wholeNumberIn } from '../flags.ts';
import { UsageError } from '../usage-error.ts';

/** The default port of the mock, and of the commands that look for a mock. */
export const DEFAULT_PORT = 8460;

const rateLimit: Flag<number | 'off'> = {
  placeholder: 'N|off',
  help: `requests per minute and account (default: ${ruleValues['limits.rate-admits']})`,
  read: (value, name) => (value === 'off' ? 'off' : wholeNumberIn(ranges.rateLimit, value, name, ' or off')),
};

const hosts = (help: string): Flag<readonly string[]> => ({
  placeholder: 'HOST,…',
  help,
  isList: true,
  read: (value, name) => {
    const names = value.split(',').map((each) => each.trim().toLowerCase());
    if (names.every(isHost)) return names;
    throw new UsageError(
      `${name} must be host names without scheme and port, such as receiver or shop.internal, got "${value}".`,
    );
  },
});

const checked = (placeholder: string, help: string, isRight: (value: string) => boolean, wants: string): Flag<string> => ({
  placeholder,
  help,
  read: (value, name) => {
    if (isRight(value)) return value;
    throw new UsageError(`${name} must be ${wants}, got "${value}".`);
  },
});

export const mockFlags = {
  port: wholeNumber('N', `port to listen on, 0 for any free port (default: ${DEFAULT_PORT})`, ranges.port),
  host: text('ADDRESS', 'address to listen on (default: 127.0.0.1)'),
  world: text('FILE', 'YAML or JSON file with accounts and cards (default: a sample shop)'),
  variant: files('behaviors and overrides of the contract'),
  vary: toggle('random behaviors for questions that --variant does not set'),
  'rate-limit': rateLimit,
  seed: wholeNumber('N', 'seed of IDs, codes and sample people (default: a new seed)', ranges.seed),
  state: text('FOLDER|URL', 'keeps the state in a folder, or in PostgreSQL: postgres://…'),
  'state-sync': choice(['off', 'commit'], 'commit: changes also survive a power failure (default: off)'),
  'write-profile': text('FILE', "writes a profile for the conformance suite's --profile"),
  'control-token': checked(
    'TEXT',
    'token for the control API beyond loopback (default: a new token)',
    isToken,
    'a secret text, or be left out for a new one',
  ),
  'public-url': checked(
    'URL',
    "origin of the links in cards, emails and deliveries (default: the mock's base URL)",
    isOrigin,
    'a URL without path, such as https://cards.example.com',
  ),
  'control-port': wholeNumber('N', 'own port of the control API and dashboard, 0 for any free port', ranges.controlPort),
  'no-control': toggle('turns the control API and the dashboard off'),
  'allow-host': hosts("more host names under which a mock on loopback responds (default: loopback and --public-url's)"),
  'allow-http-webhooks': hosts('hosts at which webhooks may use http:// (default: loopback only)'),
  'log-format': choice(['text', 'json'], 'format of the log on stderr (default: text)'),
  quiet: toggle('after the start, logs only notices and defects'),
};

export interface MockSettings extends Omit<MockOptions, 'listen'> {
  readonly port: number;
  readonly host: string;
  readonly logFormat: 'text' | 'json';
  readonly quiet: boolean;
  readonly writeProfile: string | undefined;
}

/** Throws UsageError for flags that contradict each other. */
export function settingsFrom(values: Values<typeof mockFlags>): MockSettings {
  const { noControl = false, port = DEFAULT_PORT, host = '127.0.0.1', vary = false, allowHost, ...others } = byOption(values);
  const { logFormat = 'text', quiet = false, allowHttpWebhooks = [] } = others;
  if (others.controlPort !== undefined && noControl)
    throw new UsageError('--no-control turns the control API off, so --control-port has no effect; omit one of the two flags.');
  if (others.stateSync !== undefined && (others.state === undefined || isPostgres(others.state)))
    throw new UsageError('--state-sync needs --state FOLDER; for PostgreSQL, omit it, and use the setting synchronous_commit.');
  return { ...others, port, host, vary, logFormat, quiet, allowHosts: allowHost, allowHttpWebhooks, control: !noControl };
}
