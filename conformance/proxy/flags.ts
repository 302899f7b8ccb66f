import { parseArgs } from 'node:util';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../target.ts';

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
const strictly = (argv: readonly string[]) => parseArgs({ args: [...argv], options, allowPositionals: false, strict: true });
export type Flags = ReturnType<typeof strictly>['values'];

/** Throws UsageError for a flag that is unknown, is given twice or lacks its value; it never repeats a value. */
export function flagsIn(argv: readonly string[]): Flags {
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true });
  const given = new Set<string>();
  const joined: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw new UsageError(`The proxy takes flags only, and "${token.value}" is none. ${seeHelp}`);
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(options, name)) throw new UsageError(unknown(name, rawName));
    const option = options[name as keyof typeof options];
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value. ${seeHelp}`);
    const isMissing = value === undefined || (!inlineValue && /^--?[a-z]/i.test(value));
    if (option.type === 'string' && isMissing) throw new UsageError(`${rawName} needs a value, and has none. ${seeHelp}`);
    if (given.has(name) && !('multiple' in option))
      throw new UsageError(`${rawName} is given twice, and only one can hold. Say it once.`);
    given.add(name);
    joined.push(value === undefined ? rawName : `--${name}=${value}`);
  }
  return strictly(joined).values;
}

function unknown(name: string, rawName: string): string {
  if (/^(api-?)?key$|^token$|secret/i.test(name))
    return `There is no flag ${rawName}, because whoever is on this machine could read it in the list of processes. The service's key comes from the client; the proxy's own token from an environment variable: --token-env NAME.`;
  const known = Object.keys(options).map((each) => `--${each}`);
  return `There is no flag ${rawName}.${didYouMean(`--${name}`, known)} ${seeHelp}`;
}
