import { API_KEY, BASE_URL, shellQuoted } from '../../mock/journal/curl.ts';
import { choice, text, toggle, type Values } from '../flags.ts';
import type { Environment, Io } from '../io.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { addressFlags, addressNotes, healthOf, MockUnavailable, type RunningMock, runningMock } from './running-mock.ts';

const sh = (name: string, text: string) => `export ${name}=${shellQuoted(text)}`;
/** By shell, a function that returns a statement. The statement sets an environment variable to exactly this text. */
export const statements = {
  ...{ sh, bash: sh, zsh: sh },
  fish: (name: string, text: string) => `set -gx ${name} '${text.replace(/[\\']/g, '\\$&')}'`,
  // PowerShell also ends a text at typographic single quotes.
  powershell: (name: string, text: string) => `$env:${name} = '${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
};

const flags = {
  account: text('ID', 'account of the key (default: the first account with a key)'),
  shell: choice(Object.keys(statements) as (keyof typeof statements)[], 'shell that reads the lines (default: sh)'),
  new: toggle('creates an account, so that parallel jobs do not share one'),
  ...addressFlags,
};

export function envCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'env',
    summary: 'Prints shell variables with the URL and a key of a running mock',
    flags,
    environment,
    notes: `${addressNotes}\nExit codes: 0 printed; 1 there is no such mock, account or key; 2 a flag is wrong.`,
    examples: [
      'eval "$(giftcard-sandbox env --new)"',
      'giftcard-sandbox env --shell fish | source',
      'giftcard-sandbox env --shell powershell | Out-String | Invoke-Expression',
    ],
    run: async (values) => {
      const mock = runningMock(values, environment);
      if (values.new && values.account !== undefined)
        throw new UsageError('--new creates an account, but --account names an existing account; omit one of the two flags.');
      try {
        io.stdout.write(await linesFor(mock, values));
      } catch (error) {
        // Otherwise eval "$(…)" would succeed, and a script with set -e would continue.
        io.stdout.write(values.shell === 'powershell' ? "throw 'no variables'\n" : 'false\n');
        throw error;
      }
      return 0;
    },
  });
}

async function linesFor(mock: RunningMock, values: Values<typeof flags>): Promise<string> {
  await healthOf(mock);
  const { id, apiKey } = values.new ? await mock.call('addAccount') : await accountOf(mock, values.account);
  if (apiKey === null) throw new MockUnavailable(`The account ${id} has no usable key; name another account with --account.`);
  const own = { GIFTCARD_SANDBOX_URL: mock.url, GIFTCARD_SANDBOX_ACCOUNT: id };
  const lines = Object.entries({ [BASE_URL]: mock.url, [API_KEY]: apiKey, ...own });
  return lines.map(([name, text]) => `${statements[values.shell ?? 'sh'](name, text)}\n`).join('');
}

async function accountOf({ url, call }: RunningMock, account: string | undefined) {
  if (account !== undefined) return call('getAccount', { path: { account } });
  const first = (await call('listAccounts')).find(({ apiKey }) => apiKey !== null);
  if (!first) throw new MockUnavailable(`No account of the mock at ${url} has a usable key; create one with --new.`);
  return first;
}
