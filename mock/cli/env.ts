import { ask, command, NotGiven, readFlagsOf, sharedHelp, type Where } from './asking.ts';
import { type Environment, type Io, UsageError } from './command-line.ts';
import { API_KEY, BASE_URL } from './variables.ts';

const help = `Usage: giftcard-sandbox env [flags]

Prints the lines that point a shell at a running mock: eval "$(giftcard-sandbox env)".

  --account ID           the account whose key is wanted (the first that has one)
  --new                  makes a fresh account and gives its key, so that parallel jobs do not meet
${sharedHelp}Exit codes: 0 printed; 1 there is no such mock, account or key; 2 a flag cannot be used.
`;

interface AccountView {
  readonly id: string;
  readonly apiKey: string | null;
}

/** Runs `giftcard-sandbox env`; resolves with the exit code. */
export function env(argv: readonly string[], variables: Environment, io: Io): Promise<number> {
  return command(io, async () => {
    const { where, text, set } = readFlagsOf('env', { account: { type: 'string' }, new: { type: 'boolean' } }, argv, variables);
    if (set('help')) return help;
    const named = text('account');
    if (set('new') && named !== undefined)
      throw new UsageError('--new makes an account and --account names one; leave one of the two out.');
    const { id, apiKey } = set('new') ? ((await ask(where, 'accounts', 'POST')) as AccountView) : await accountOf(where, named);
    if (apiKey === null) throw new NotGiven(`The account ${id} has no usable key; name another with --account.`);
    return exports({ [BASE_URL]: where.url, [API_KEY]: apiKey, GIFTCARD_SANDBOX_ACCOUNT: id });
  });
}

async function accountOf(where: Where, id: string | undefined): Promise<AccountView> {
  if (id !== undefined) return (await ask(where, `accounts/${encodeURIComponent(id)}`)) as AccountView;
  const accounts = (await ask(where, 'accounts')) as readonly AccountView[];
  const first = accounts.find(({ apiKey }) => apiKey !== null);
  if (!first) throw new NotGiven(`No account of the mock at ${where.url} has a usable key; make one with --new.`);
  return first;
}

/** Lines for a POSIX shell; within single quotes every other sign stays as it is. */
function exports(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
  return lines.join('');
}
