import { parseArgs } from 'node:util';
import { UsageError } from '../../command-line/usage-error.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { checkedFlags } from '../cli/flags.ts';

const options = {
  target: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  'token-env': { type: 'string' },
  'only-client': { type: 'boolean' },
  facts: { type: 'string' },
  record: { type: 'string' },
  replay: { type: 'string' },
  reporter: { type: 'string', multiple: true },
  out: { type: 'string' },
  quiet: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

const seeHelp = 'See giftcard-sandbox proxy --help.';
const strictly = (argv: readonly string[]) => parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
export type Flags = ReturnType<typeof strictly>['values'];

/** Throws UsageError for flags that cannot be used, and for whatever is none. */
export function flagsIn(argv: readonly string[]): Flags {
  const { values, positionals } = strictly(checkedFlags(argv, { options, seeHelp, unknown }));
  const [word] = positionals;
  if (word !== undefined) throw new UsageError(`The proxy takes flags only, and "${word}" is none. ${seeHelp}`);
  return values;
}

function unknown(name: string, rawName: string): string {
  if (/^(api-?)?key$|^token$|secret/i.test(name))
    return `There is no flag ${rawName}, because whoever is on this machine could read it in the list of processes. The service's key comes from the client; the proxy's own token from an environment variable: --token-env NAME.`;
  const known = Object.keys(options).map((each) => `--${each}`);
  return `There is no flag ${rawName}.${didYouMean(`--${name}`, known)} ${seeHelp}`;
}
