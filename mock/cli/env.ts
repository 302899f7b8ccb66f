import { choice, text, toggle } from '../../command-line/flags.ts';
import type { Environment, Io } from '../../command-line/io.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { API_KEY, BASE_URL, shellQuoted } from '../journal/curl.ts';
import { addressFlags, addressNotes, healthOf, MockUnavailable, type RunningMock, runningMock } from './running-mock.ts';

/** By shell, a function that returns a statement. The statement sets an environment variable to exactly this text. */
export const statements = {
  sh: (name: string, text: string) => `export ${name}=${shellQuoted(text)}`,
  fish: (name: string, text: string) => `set -gx ${name} '${text.replace(/[\\']/g, '\\$&')}'`,
  // PowerShell also ends a text at typographic single quotes.
  powershell: (name: string, text: string) => `$env:${name} = '${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
};
type Shell = keyof typeof statements;

export function envCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'env',
    summary: 'Prints shell variables with the URL and a key of a running mock',
    flags: {
      account: text('ID', 'account of the key (default: the first account with a key)'),
      shell: choice(Object.keys(statements) as Shell[], 'shell that reads the lines (default: sh)'),
      new: toggle('creates an account, so that parallel jobs do not share one'),
      ...addressFlags,
    },
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
      await healthOf(mock);
      const { id, apiKey } = values.new ? await mock.call('addAccount') : await accountOf(mock, values.account);
      if (apiKey === null) throw new MockUnavailable(`The account ${id} has no usable key; name another account with --account.`);
      const variables = { [BASE_URL]: mock.url, [API_KEY]: apiKey, GIFTCARD_SANDBOX_ACCOUNT: id };
      const statement = statements[values.shell ?? 'sh'];
      io.stdout.write(
        Object.entries(variables)
          .map(([name, text]) => `${statement(name, text)}\n`)
          .join(''),
      );
      return 0;
    },
  });
}

async function accountOf({ url, call }: RunningMock, account: string | undefined) {
  if (account !== undefined) return call('getAccount', { path: { account } });
  const first = (await call('listAccounts')).find(({ apiKey }) => apiKey !== null);
  if (!first) throw new MockUnavailable(`No account of the mock at ${url} has a usable key; create one with --new.`);
  return first;
}
