import { text, toggle } from '../../command-line/flags.ts';
import type { Environment, Io } from '../../command-line/io.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { API_KEY, BASE_URL } from '../journal/curl.ts';
import { addressFlags, addressNotes, healthOf, MockUnavailable, type RunningMock, runningMock } from './running-mock.ts';

export function envCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'env',
    summary: 'Prints shell variables with the URL and a key of a running mock: eval "$(giftcard-sandbox env)"',
    flags: {
      account: text('ID', 'account whose key is printed (default: the first account with a usable key)'),
      new: toggle('creates an account and prints its key, so that parallel jobs do not share an account'),
      ...addressFlags,
    },
    environment,
    notes: `${addressNotes}\nExit codes: 0 printed; 1 there is no such mock, account or key; 2 a flag is wrong.`,
    run: async (values) => {
      const mock = runningMock(values, environment);
      if (values.new && values.account !== undefined)
        throw new UsageError('--new creates an account, but --account names an existing account; omit one of the two flags.');
      await healthOf(mock);
      const { id, apiKey } = values.new ? await mock.call('addAccount') : await accountOf(mock, values.account);
      if (apiKey === null) throw new MockUnavailable(`The account ${id} has no usable key; name another account with --account.`);
      io.stdout.write(exportLines({ [BASE_URL]: mock.url, [API_KEY]: apiKey, GIFTCARD_SANDBOX_ACCOUNT: id }));
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

/** Returns lines for a POSIX shell. Within single quotes, only the single quote itself needs escaping. */
function exportLines(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
  return lines.join('');
}
