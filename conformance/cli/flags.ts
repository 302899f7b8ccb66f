import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '../../command-line/usage-error.ts';

interface Command {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Where its flags are explained, as a sentence. */
  readonly seeHelp: string;
  /** What is said of a flag that it does not have. */
  unknown(name: string, rawName: string): string;
}

/**
 * The arguments as parseArgs reads them rightly, each value joined to its flag: one that begins with a dash is read as a value only behind an equals sign. Throws
 * UsageError for a flag that is unknown, is given twice or lacks its value; it never repeats a value that may be a key.
 */
export function checkedFlags(argv: readonly string[], { options, seeHelp, unknown }: Command): string[] {
  const { tokens } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false, tokens: true });
  const given = new Set<string>();
  return tokens.map((token) => {
    if (token.kind === 'positional') return token.value;
    if (token.kind === 'option-terminator') return '--';
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) throw new UsageError(unknown(name, rawName));
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value. ${seeHelp}`);
    const isMissing = value === undefined || (!inlineValue && /^--?[a-z]/i.test(value));
    if (option.type === 'string' && isMissing) throw new UsageError(`${rawName} needs a value, and has none. ${seeHelp}`);
    if (given.has(name) && !option.multiple)
      throw new UsageError(`${rawName} is given twice, and only one can hold. Say it once.`);
    given.add(name);
    return value === undefined ? rawName : `--${name}=${value}`;
  });
}
